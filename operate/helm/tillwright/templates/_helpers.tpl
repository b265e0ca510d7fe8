{{- define "tillwright.image" -}}
{{- if .Values.image.digest -}}
{{ required "image.repository: name the registry and repository of the image" .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ required "image.repository: name the registry and repository of the image" .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- define "tillwright.environment" -}}
- name: TILLWRIGHT_ENVIRONMENT
  value: {{ .Values.environment | quote }}
- name: TILLWRIGHT_API_URL
  value: {{ required "urls.api: the https:// address that callers use" .Values.urls.api | quote }}
- name: TILLWRIGHT_VAULT_URL
  value: {{ required "urls.vault: the https:// address of the card forms" .Values.urls.vault | quote }}
- name: TILLWRIGHT_PLUGINS_URL
  value: {{ required "urls.plugins: an https:// address on another registrable domain" .Values.urls.plugins | quote }}
- name: TILLWRIGHT_TRUSTED_PROXIES
  value: {{ required "trustedProxies: where the proxies connect from" .Values.trustedProxies | quote }}
- name: TILLWRIGHT_BLOBS
  value: {{ required "blobs: an s3:// address, which all pods share" .Values.blobs | quote }}
- name: TILLWRIGHT_DRAIN_SECONDS
  value: {{ .Values.drainSeconds | quote }}
- name: TILLWRIGHT_MIGRATE
  value: {{ ternary "manual" "auto" .Values.migrations.enabled | quote }}
- name: TILLWRIGHT_CHANNEL_CERT
  value: /etc/tillwright/channel/tls.crt
- name: TILLWRIGHT_CHANNEL_KEY
  value: /etc/tillwright/channel/tls.key
- name: TILLWRIGHT_CHANNEL_CA
  value: /etc/tillwright/channel/ca.crt
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "tillwright.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "tillwright.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}
