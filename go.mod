module llhttpgo

go 1.26
