module gometrics

go 1.22
