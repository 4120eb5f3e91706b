// A process such as the manager with diagnostics on: metrics on one port of loopback, profiles on another.
//
// It prints metrics=PORT and pprof=PORT and runs until its standard input ends.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"
)

const bigSize = 50 << 20

var (
	started  = time.Now()
	requests atomic.Int64
	kept     [][]byte
)

// block gives the deterministic bytes of /big from an offset that is a multiple of 32 on.
func block(name string, offset int) []byte {
	sum := sha256.Sum256([]byte(name + strconv.Itoa(offset)))
	return sum[:]
}

// big gives 50 MB, or ?size= bytes (a multiple of 32); with ?length=no they end where the chunks end.
func big(w http.ResponseWriter, r *http.Request) {
	size := bigSize
	if text := r.URL.Query().Get("size"); text != "" {
		size, _ = strconv.Atoi(text)
	}
	if r.URL.Query().Get("length") != "no" {
		w.Header().Set("Content-Length", strconv.Itoa(size))
	}
	part := make([]byte, 0, 64*1024)
	for offset := 0; offset < size; offset += 32 {
		part = append(part, block("big", offset)...)
		if len(part) == cap(part) || offset+32 >= size {
			if _, err := w.Write(part); err != nil {
				return
			}
			part = part[:0]
		}
	}
}

// echo gives back what it gets, while it gets it.
func echo(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).EnableFullDuplex()
	w.Header().Set("Content-Type", "application/octet-stream")
	_, _ = io.Copy(w, r.Body)
}

// digest takes a body and says what it was.
func digest(w http.ResponseWriter, r *http.Request) {
	sum := sha256.New()
	size, err := io.Copy(sum, r.Body)
	fmt.Fprintf(w, "%d %s %v\n", size, hex.EncodeToString(sum.Sum(nil)), err)
}

func metrics(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		count := requests.Add(1)
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		fmt.Fprintf(w, "# HELP controller_runtime_reconcile_total Reconciliations.\n")
		fmt.Fprintf(w, "# TYPE controller_runtime_reconcile_total counter\n")
		fmt.Fprintf(w, "controller_runtime_reconcile_total{controller=%q,result=\"success\"} %d\n", "node", 100*count)
		fmt.Fprintf(w, "controller_runtime_reconcile_total{controller=%q,result=\"error\"} %d\n", "node", count)
		fmt.Fprintf(w, "# TYPE workqueue_depth gauge\nworkqueue_depth{controller=\"node\",name=\"node\"} 7\n")
		fmt.Fprintf(w, "# TYPE go_goroutines gauge\ngo_goroutines %d\n", runtime.NumGoroutine())
		fmt.Fprintf(w, "# TYPE process_start_time_seconds gauge\n")
		fmt.Fprintf(w, "process_start_time_seconds %.2f\n", float64(started.UnixMilli())/1000)
		fmt.Fprintf(w, "# TYPE test_process_info gauge\ntest_process_info{name=%q} 1\n", name)
	}
}

// spin keeps a processor busy now and then, so that a profile has something to show.
func spin() {
	for {
		for end := time.Now().Add(5 * time.Millisecond); time.Now().Before(end); {
			block("spin", int(time.Now().UnixNano()&0xffff))
		}
		time.Sleep(15 * time.Millisecond)
	}
}

func listen(port int) net.Listener {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		log.Fatal(err)
	}
	return listener
}

func main() {
	name := flag.String("name", "one", "what test_process_info says")
	port := flag.Int("metrics-port", 0, "port of the metrics, 0 for any")
	flag.Parse()
	runtime.SetBlockProfileRate(1)
	runtime.SetMutexProfileFraction(1)
	for range 64 {
		kept = append(kept, make([]byte, 64*1024))
	}
	go spin()

	mux := http.NewServeMux()
	mux.HandleFunc("/metrics", metrics(*name))
	mux.HandleFunc("/big", big)
	mux.HandleFunc("/echo", echo)
	mux.HandleFunc("/digest", digest)
	mux.HandleFunc("/who", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%s %s", *name, r.URL.RawQuery) })
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/who", http.StatusFound) })
	first, second := listen(*port), listen(0)
	go func() { log.Fatal(http.Serve(first, mux)) }()
	go func() { log.Fatal(http.Serve(second, nil)) }()
	fmt.Printf("metrics=%d\npprof=%d\n", first.Addr().(*net.TCPAddr).Port, second.Addr().(*net.TCPAddr).Port)
	_, _ = io.Copy(io.Discard, os.Stdin)
}
