// The harness asks Argo CD's own code for tests: one request as JSON on stdin, the answer as JSON on stdout.
//
//	harness health   what settings say of the health of objects
//	harness diff     which objects differ from their manifests, and what of them
//	harness sync     a sync on a cluster, wave by wave, as the application controller does it
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type object = map[string]any

func main() {
	commands := map[string]func(*json.Decoder) (any, error){
		"health": askedFor(healths), "diff": askedFor(differences), "sync": askedFor(synced),
	}
	if len(os.Args) != 2 || commands[os.Args[1]] == nil {
		fail(fmt.Errorf("usage: harness health|diff|sync"))
	}
	decoder := json.NewDecoder(os.Stdin)
	decoder.DisallowUnknownFields()
	answer, err := commands[os.Args[1]](decoder)
	if err != nil {
		fail(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		fail(err)
	}
}

func askedFor[Request, Answer any](answer func(Request) (Answer, error)) func(*json.Decoder) (any, error) {
	return func(decoder *json.Decoder) (any, error) {
		var request Request
		if err := decoder.Decode(&request); err != nil {
			return nil, err
		}
		return answer(request)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// parsed gives an object as Argo CD has it: whole numbers are int64.
func parsed(raw json.RawMessage) (*unstructured.Unstructured, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	found := &unstructured.Unstructured{}
	return found, found.UnmarshalJSON(raw)
}

func parsedAll(raws []json.RawMessage) ([]*unstructured.Unstructured, error) {
	var found []*unstructured.Unstructured
	for _, raw := range raws {
		one, err := parsed(raw)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, nil
}
