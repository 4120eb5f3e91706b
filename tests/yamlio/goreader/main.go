// goreader reads YAML documents with the reader that kubectl uses and answers in JSON.
//
// In: frames of a 4-byte big-endian length and that many bytes of YAML. Out: one line a frame, either
// {"ok":<value>} or {"error":"<text>"}.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"

	"sigs.k8s.io/yaml"
)

type answer struct {
	OK    json.RawMessage `json:"ok,omitempty"`
	Error string          `json:"error,omitempty"`
}

func read(document []byte) answer {
	value, err := yaml.YAMLToJSONStrict(document)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{OK: value}
}

func run(in io.Reader, out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		var size uint32
		if err := binary.Read(in, binary.BigEndian, &size); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		document := make([]byte, size)
		if _, err := io.ReadFull(in, document); err != nil {
			return err
		}
		if err := encoder.Encode(read(document)); err != nil {
			return err
		}
	}
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	if err := run(bufio.NewReader(os.Stdin), out); err != nil {
		log.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}
