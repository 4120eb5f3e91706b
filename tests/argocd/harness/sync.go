package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/argoproj/argo-cd/v3/util/lua"
	"github.com/argoproj/gitops-engine/pkg/sync"
	"github.com/argoproj/gitops-engine/pkg/sync/common"
	"github.com/argoproj/gitops-engine/pkg/utils/kube"
	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

type syncRequest struct {
	Settings   map[string]string `json:"settings"`
	Kubeconfig string            `json:"kubeconfig"`
	Namespace  string            `json:"namespace"`
	Objects    []json.RawMessage `json:"objects"` // what Git has
	Before     []json.RawMessage `json:"before"`  // what Git had: pruned if it has it no more
	PruneLast  bool              `json:"pruneLast"`
	Seconds    int               `json:"seconds"` // how long it may run
}

type syncAnswer struct {
	Phase   string       `json:"phase"`
	Message string       `json:"message"`
	Results []syncResult `json:"results"`
}

type syncResult struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Status  string `json:"status"`
	Phase   string `json:"phase"`
	Message string `json:"message"`
}

// everyObject: what a server tells of its kinds does not matter here but for namespaces, and ours all have one.
type everyObject struct{}

func (everyObject) IsNamespaced(_ schema.GroupKind) (bool, error) { return true, nil }

func synced(request syncRequest) (*syncAnswer, error) {
	overrides, err := overridesOf(request.Settings)
	if err != nil {
		return nil, err
	}
	access, err := accessOf(request.Kubeconfig)
	if err != nil {
		return nil, err
	}
	targets, err := parsedAll(request.Objects)
	if err != nil {
		return nil, err
	}
	before, err := parsedAll(request.Before)
	if err != nil {
		return nil, err
	}
	openAPI, _, err := quietKubectl().LoadOpenAPISchema(access)
	if err != nil {
		return nil, err
	}
	options := []sync.SyncOpt{
		sync.WithHealthOverride(lua.ResourceHealthOverrides(overrides)),
		sync.WithOperationSettings(false, true, false, false),
		sync.WithServerSideApply(true),
		sync.WithServerSideApplyManager(manager),
		sync.WithPruneLast(request.PruneLast),
		sync.WithLogr(logr.Discard()),
	}
	// The controller begins each step anew, from what the Application remembers and from what is live then.
	end := time.Now().Add(time.Duration(request.Seconds) * time.Second)
	started := metav1.Now()
	phase, message, results := common.OperationRunning, "", []common.ResourceSyncResult(nil)
	for phase == common.OperationRunning && time.Now().Before(end) {
		live, err := liveObjects(access, append(append([]*unstructured.Unstructured{}, targets...), before...))
		if err != nil {
			return nil, err
		}
		remembered := sync.WithInitialState(phase, message, results, started)
		step, stop, err := sync.NewSyncContext("revision", sync.Reconcile(targets, live, request.Namespace, everyObject{}),
			access, access, quietKubectl(), request.Namespace, openAPI, append(options, remembered)...)
		if err != nil {
			return nil, err
		}
		step.Sync()
		phase, message, results = step.GetState()
		stop()
		time.Sleep(500 * time.Millisecond)
	}
	answer := &syncAnswer{Phase: string(phase), Message: message}
	for _, one := range results {
		answer.Results = append(answer.Results, syncResult{
			one.ResourceKey.Kind, one.ResourceKey.Name, string(one.Status), string(one.HookPhase), one.Message,
		})
	}
	return answer, nil
}

func liveObjects(access *rest.Config, wanted []*unstructured.Unstructured) (map[kube.ResourceKey]*unstructured.Unstructured, error) {
	found := map[kube.ResourceKey]*unstructured.Unstructured{}
	for _, one := range wanted {
		live, err := quietKubectl().GetResource(context.Background(), access, one.GroupVersionKind(), one.GetName(), one.GetNamespace())
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found[kube.GetResourceKey(live)] = live
	}
	return found, nil
}
