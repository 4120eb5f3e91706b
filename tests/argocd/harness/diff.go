package main

import (
	"encoding/json"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	argodiff "github.com/argoproj/argo-cd/v3/util/argo/diff"
	"github.com/argoproj/argo-cd/v3/util/argo/normalizers"
	"github.com/argoproj/gitops-engine/pkg/diff"
	"github.com/argoproj/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/gitops-engine/pkg/utils/tracing"
	"github.com/go-logr/logr"
	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/kube-openapi/pkg/util/proto"
)

type diffRequest struct {
	Settings   map[string]string                    `json:"settings"`
	Ignored    []v1alpha1.ResourceIgnoreDifferences `json:"ignoreDifferences"` // of the Application
	Pairs      []diffPair                           `json:"pairs"`
	Way        string                               `json:"way"`        // "", "structured" or "server"
	OpenAPI    json.RawMessage                      `json:"openapi"`    // kinds, for "structured"
	Kubeconfig string                               `json:"kubeconfig"` // for "server"
}

type diffPair struct {
	Target json.RawMessage `json:"target"`
	Live   json.RawMessage `json:"live"`
}

type diffAnswer struct {
	Modified  bool            `json:"modified"`
	Live      json.RawMessage `json:"live"`      // as compared
	Predicted json.RawMessage `json:"predicted"` // what a sync would make of it
}

func differences(request diffRequest) ([]diffAnswer, error) {
	overrides, err := overridesOf(request.Settings)
	if err != nil {
		return nil, err
	}
	builder := argodiff.NewDiffConfigBuilder().
		WithDiffSettings(request.Ignored, overrides, false, normalizers.IgnoreNormalizerOpts{}).
		WithTracking("argocd.argoproj.io/instance", string(v1alpha1.TrackingMethodAnnotation)).
		WithManager(manager).
		WithLogger(logr.Discard()).
		WithNoCache()
	if request.Way != "" {
		stop, err := withWay(builder, request)
		if err != nil {
			return nil, err
		}
		defer stop()
	}
	config, err := builder.Build()
	if err != nil {
		return nil, err
	}
	found := []diffAnswer{}
	for _, pair := range request.Pairs {
		target, err := parsed(pair.Target)
		if err != nil {
			return nil, err
		}
		live, err := parsed(pair.Live)
		if err != nil {
			return nil, err
		}
		result, err := argodiff.StateDiff(live, target, config)
		if err != nil {
			return nil, err
		}
		found = append(found, diffAnswer{result.Modified, result.NormalizedLive, result.PredictedLive})
	}
	return found, nil
}

// withWay makes it compare as ServerSideApply=true ("structured") or ServerSideDiff=true ("server") does.
func withWay(builder *argodiff.DiffConfigBuilder, request diffRequest) (func(), error) {
	if request.Way == "structured" {
		parser, err := parserOf(request.OpenAPI)
		builder.WithGVKParser(parser).WithStructuredMergeDiff(true)
		return func() {}, err
	}
	access, err := accessOf(request.Kubeconfig)
	if err != nil {
		return nil, err
	}
	kubectl := quietKubectl()
	schema, parser, err := kubectl.LoadOpenAPISchema(access)
	if err != nil {
		return nil, err
	}
	applier, stop, err := kube.ManageServerSideDiffDryRuns(access, schema, kubectl.Tracer, kubectl.Log, nil)
	if err != nil {
		return nil, err
	}
	builder.WithGVKParser(parser).WithServerSideDiff(true).WithServerSideDryRunner(diff.NewK8sServerSideDryRunner(applier))
	return stop, nil
}

// parserOf reads kinds from what a server publishes of them (OpenAPI 2).
func parserOf(published []byte) (*managedfields.GvkParser, error) {
	document, err := openapi_v2.ParseDocument(published)
	if err != nil {
		return nil, err
	}
	models, err := proto.NewOpenAPIData(document)
	if err != nil {
		return nil, err
	}
	return managedfields.NewGVKParser(models, false)
}

const manager = "argocd-controller"

func quietKubectl() *kube.KubectlCmd {
	return &kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}
}

func accessOf(kubeconfig string) (*rest.Config, error) {
	access, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err == nil {
		access.QPS, access.Burst = 100, 200
	}
	return access, err
}
