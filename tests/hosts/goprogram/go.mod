module goprogram

go 1.26
