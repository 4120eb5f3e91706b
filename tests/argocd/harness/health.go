package main

import (
	"context"
	"encoding/json"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/lua"
	"github.com/argoproj/argo-cd/v3/util/settings"
	"github.com/argoproj/gitops-engine/pkg/health"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

type healthRequest struct {
	Settings map[string]string `json:"settings"` // data of argocd-cm
	Objects  []json.RawMessage `json:"objects"`
}

type healthAnswer struct {
	Status  string `json:"status"`
	Message string `json:"message"`
	Error   string `json:"error"`
}

func healths(request healthRequest) ([]healthAnswer, error) {
	overrides, err := overridesOf(request.Settings)
	if err != nil {
		return nil, err
	}
	objects, err := parsedAll(request.Objects)
	if err != nil {
		return nil, err
	}
	found := []healthAnswer{}
	for _, one := range objects {
		// Without rules there is no status: Argo CD then takes no notice of the object.
		answer := healthAnswer{}
		status, err := health.GetResourceHealth(one, lua.ResourceHealthOverrides(overrides))
		if status != nil {
			answer.Status, answer.Message = string(status.Status), status.Message
		}
		if err != nil {
			answer.Error = err.Error()
		}
		found = append(found, answer)
	}
	return found, nil
}

// overridesOf reads settings as the application controller does, from the ConfigMap.
func overridesOf(data map[string]string) (map[string]v1alpha1.ResourceOverride, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	part := map[string]string{"app.kubernetes.io/part-of": "argocd"}
	clients := fake.NewClientset(
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "argocd-cm", Namespace: "argocd", Labels: part}, Data: data},
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "argocd-secret", Namespace: "argocd", Labels: part}},
	)
	return settings.NewSettingsManager(ctx, clients, "argocd").GetResourceOverrides()
}
