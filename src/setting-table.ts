/** Every setting with its default and description; `patchbay --help` prints this table. */
export const settings = {
  HOST: ['127.0.0.1', 'Address to listen on.'],
  PORT: ['8080', 'Port to listen on; 0 selects a free port.'],
  WORKERS: ['1', 'Processes that serve requests; auto means one per processor core.'],
  METRICS_LISTEN: [
    '',
    'Address and port of /metrics and /readyz, or off; empty means 127.0.0.1:9464 for serve and off for dev.',
  ],
  DATA_DIR: ['./data', 'Folder of the embedded database, the files, the master key and the demo sign-in.'],
  DATABASE_URL: ['', 'PostgreSQL URL; empty means the embedded database in DATA_DIR.'],
  READ_URL: [
    '',
    'PostgreSQL URL of a replica of DATABASE_URL, from which exports are read; empty means DATABASE_URL.',
  ],
  PUBLIC_URL: ['', 'Base URL for people and integrations; accounts are subdomains of it.'],
  AUTH_URL: ['', 'URL of the consent page; empty means PUBLIC_URL.'],
  CHAT_URL: ['', 'URL of the chat channel API; empty means PUBLIC_URL.'],
  HOST_ALIASES: [
    '',
    'Domains, or off: their hosts are served like those of PUBLIC_URL; empty means those of the platform for dev and off for serve.',
  ],
  TLS_CERT: ['', 'File with the certificate chain (PEM); with TLS_KEY, the server uses https.'],
  TLS_KEY: ['', 'File with the private key (PEM) of TLS_CERT.'],
  TRUST_PROXY: [
    '',
    'Addresses of trusted proxies, whose X-Forwarded-* headers are used; separated by commas.',
  ],
  OUTBOUND_ALLOW: [
    '',
    'Non-public address ranges (CIDR) to which requests are allowed, separated by commas.',
  ],
  FILES_URL: [
    '',
    'Storage of files: s3://BUCKET or s3://BUCKET/PREFIX; empty means the folder "files" in DATA_DIR.',
  ],
  S3_ENDPOINT: ['', 'URL of an S3 service other than AWS; buckets are in its path.'],
  S3_REGION: ['', 'Region of the bucket; with S3_ENDPOINT, empty means us-east-1.'],
  S3_ACCESS_KEY_ID: ['', 'Access key id for the bucket, with permission to read, write, delete and list.'],
  S3_SECRET_ACCESS_KEY: ['', 'Secret. The secret access key.'],
  FILE_LIMIT: ['314572800', 'Largest file that can be uploaded, in bytes.'],
  FILES_LIMIT: [
    '10737418240',
    'Limit of all files of one account in bytes, including older versions and the trash.',
  ],
  TEST_HELPERS: [
    '',
    'on, off or on-a-public-server: whether /test_helpers exists, with which tests can change tokens; empty means on for dev and off for serve.',
  ],
  TEST_HELPERS_KEY: [
    '',
    'Secret. The key of /test_helpers, at least 24 characters; empty means a key that is made from the master key, only for dev.',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    '',
    'Collector for traces by OTLP over HTTP, such as http://localhost:4318; empty means that no traces are exported.',
  ],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ['', 'The same for traces only, as a URL with its whole path.'],
  OTEL_EXPORTER_OTLP_PROTOCOL: ['http/protobuf', 'http/protobuf or http/json.'],
  OTEL_EXPORTER_OTLP_HEADERS: ['', 'Secret. Headers for the collector: name=value, separated by commas.'],
  OTEL_SERVICE_NAME: ['patchbay', 'Name of the service in traces.'],
  OTEL_RESOURCE_ATTRIBUTES: ['', 'Attributes of the service in traces: name=value, separated by commas.'],
  OTEL_TRACES_SAMPLER: [
    'parentbased_always_on',
    'always_on, always_off, traceidratio, or one of them after parentbased_.',
  ],
  OTEL_TRACES_SAMPLER_ARG: ['1', 'Part of the traces that a traceidratio sampler keeps, from 0 to 1.'],
  RATE_LIMITS: ['on', 'on or off: whether the documented rate limits apply.'],
  LOG_LEVEL: [
    '',
    'fatal, error, warn, info, debug, trace or silent; empty means info for serve, and warn for dev and other commands.',
  ],
  MASTER_KEY: [
    '',
    'Secret. 32 bytes in base64 that encrypt stored secrets; empty means DATA_DIR/master.key, which dev creates.',
  ],
  MASTER_KEY_PREVIOUS: [
    '',
    'Secret. The master key before, while it is changed ("patchbay rekey"); empty means DATA_DIR/master.key.previous.',
  ],
} as const satisfies Record<string, readonly [string, string]>

export type SettingName = keyof typeof settings
