module llhttpgo

go 1.26.0

require golang.org/x/sys v0.50.0

// npm's packages bring Go code of their own.
ignore ./bindings/node/node_modules
