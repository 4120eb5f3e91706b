// Reads a list of {"checks": […], "object": {…}} or {"text": "…"} and prints, for each, what Flux makes of it:
// the status of the object, or the text after substitution, in which every variable is "(its name)".
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/envsubst"
	"github.com/fluxcd/pkg/runtime/cel"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type question struct {
	Checks []kustomize.CustomHealthCheck `json:"checks"`
	Object json.RawMessage               `json:"object"`
	Text   *string                       `json:"text"`
}

type answer struct {
	Status  string `json:"status,omitempty"`
	Text    string `json:"text,omitempty"`
	Message string `json:"message,omitempty"`
	Error   string `json:"error,omitempty"`
}

func main() {
	var questions []question
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	answers := make([]answer, 0, len(questions))
	for _, one := range questions {
		answers = append(answers, ask(one))
	}
	_ = json.NewEncoder(os.Stdout).Encode(answers)
}

func ask(one question) answer {
	if one.Text != nil {
		text, err := envsubst.Eval(*one.Text, func(name string) (string, bool) { return "(" + name + ")", true })
		if err != nil {
			return answer{Error: err.Error()}
		}
		return answer{Text: text}
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(one.Object); err != nil {
		return answer{Error: err.Error()}
	}
	found, err := compute(one.Checks, object)
	if err != nil {
		return answer{Status: status.UnknownStatus.String(), Error: err.Error()}
	}
	return answer{Status: found.Status.String(), Message: found.Message}
}

func compute(checks []kustomize.CustomHealthCheck, object *unstructured.Unstructured) (*status.Result, error) {
	for _, check := range checks {
		if check.APIVersion == object.GetAPIVersion() && check.Kind == object.GetKind() {
			evaluator, err := cel.NewStatusEvaluator(&check.HealthCheckExpressions)
			if err != nil {
				return nil, err
			}
			return evaluator.Evaluate(context.Background(), object)
		}
	}
	return status.Compute(object)
}
