import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { OperatorError } from './errors.ts'
import { type SettingName, settings } from './setting-table.ts'

type Environment = Record<string, string | undefined>
type Read = (name: SettingName) => string

/** `command` is for what works beside a server or without one, and serves nobody. */
export type Mode = 'dev' | 'serve' | 'command'

/** The configuration of the program. Frozen; contains no secret, so that it can be logged. */
export interface Config {
  mode: Mode
  host: string
  port: number
  /** Processes that share the port. */
  workers: number
  /** The address of `/metrics` and `/readyz`; null if they are off. */
  metrics_listen: { host: string; port: number } | null
  data_dir: string
  database_url: string
  /** A replica of the database, for exports; empty if there is none. */
  read_url: string
  public_url: string
  auth_url: string
  chat_url: string
  /** Domains whose subdomains are accounts too, besides that of `public_url`. */
  host_aliases: string[]
  tls: { cert: string; key: string } | null
  trust_proxy: string[]
  outbound_allow: string[]
  files: FilePlace
  file_limit: number
  files_limit: number
  rate_limits: boolean
  /** Whether `/test_helpers` exists, and pages that change tokens for tests. */
  test_helpers: boolean
  /** The export of traces; null if there is no collector. */
  telemetry: TelemetryConfig | null
  log_level: string
}

/** The export of spans. The exporter reads its address and headers from the environment, because they can be secrets. */
export interface TelemetryConfig {
  protocol: 'http/protobuf' | 'http/json'
  sampler: string
  ratio: number
  /** Settings of batches by their names in the library; undefined ones have its defaults. */
  batches: Partial<Record<'scheduledDelayMillis' | 'maxQueueSize' | 'maxExportBatchSize', number>>
}

/** The storage of file contents. */
export type FilePlace =
  | { kind: 'disk'; folder: string }
  /** The prefix of all keys is empty or ends with a slash. An empty endpoint means AWS. */
  | { kind: 's3'; bucket: string; prefix: string; endpoint: string; region: string }

/** The credentials of the bucket. Like the master key, they are not in the Config. */
export interface S3Keys {
  id: string
  secret: string
}

/** An invalid setting. The message names the setting. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError'
}

/** A usual port for Prometheus metrics, on loopback unless the operator changes it. */
const METRICS_LISTEN = '127.0.0.1:9464'
/** The domains that are fixed in many clients of the platform. */
const PLATFORM_DOMAINS = 'amocrm.ru,amocrm.com,kommo.com'
const MOST_WORKERS = 64
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

/** Reads and validates the environment. Throws ConfigError for the first invalid setting (P4). */
export function readConfig(mode: Mode, env: Environment): Config {
  const read: Read = (name) => env[name]?.trim() || settings[name][0]
  const tls = readTls(read('TLS_CERT'), read('TLS_KEY'))
  const port = readPort(read('PORT'))
  const public_url = readPublicUrl(read('PUBLIC_URL') || `${tls ? 'https' : 'http'}://localhost:${port}`)
  const data_dir = resolve(read('DATA_DIR'))
  const config: Config = {
    mode,
    host: read('HOST'),
    port,
    workers: readWorkers(read('WORKERS')),
    metrics_listen: readListen(read('METRICS_LISTEN') || (mode === 'serve' ? METRICS_LISTEN : 'off')),
    data_dir,
    database_url: readDatabaseUrl('DATABASE_URL', read('DATABASE_URL')),
    read_url: readReplicaUrl(read),
    public_url,
    auth_url: read('AUTH_URL') ? readOrigin('AUTH_URL', read('AUTH_URL')) : public_url,
    chat_url: read('CHAT_URL') ? readOrigin('CHAT_URL', read('CHAT_URL')) : public_url,
    host_aliases: readDomains(
      'HOST_ALIASES',
      read('HOST_ALIASES') || (mode === 'dev' ? PLATFORM_DOMAINS : 'off'),
    ),
    tls,
    trust_proxy: readAddresses('TRUST_PROXY', read('TRUST_PROXY')),
    // In development, receivers are on loopback (S8).
    outbound_allow: [
      ...readRanges(read('OUTBOUND_ALLOW')),
      ...(mode === 'dev' ? ['127.0.0.0/8', '::1/128'] : []),
    ],
    files: readFilePlace(read) ?? { kind: 'disk', folder: join(data_dir, 'files') },
    file_limit: readBytes('FILE_LIMIT', read('FILE_LIMIT')),
    files_limit: readBytes('FILES_LIMIT', read('FILES_LIMIT')),
    telemetry: readTelemetry(env),
    rate_limits: oneOf('RATE_LIMITS', read('RATE_LIMITS'), ['on', 'off']) === 'on',
    test_helpers: oneOf('TEST_HELPERS', testHelpers(mode, read), ['on', 'off', PUBLIC]) !== 'off',
    log_level: oneOf('LOG_LEVEL', read('LOG_LEVEL') || (mode === 'serve' ? 'info' : 'warn'), LOG_LEVELS),
  }
  if (mode === 'serve') {
    refuseUnsafe(config, env)
    if (config.test_helpers) refuseUnsafeHelpers(config, read)
  }
  return Object.freeze(config)
}

const PUBLIC = 'on-a-public-server'
const testHelpers = (mode: Mode, read: Read): string =>
  read('TEST_HELPERS') || (mode === 'dev' ? 'on' : 'off')

export function masterKeyFile(config: Config): string {
  return join(config.data_dir, 'master.key')
}

/** Empty unless files are stored in a bucket. */
export function readS3Keys(env: Environment): S3Keys {
  return { id: env.S3_ACCESS_KEY_ID?.trim() ?? '', secret: env.S3_SECRET_ACCESS_KEY?.trim() ?? '' }
}

/** A readable name of the storage. */
export const nameOfPlace = (place: FilePlace): string =>
  place.kind === 'disk' ? place.folder : `s3://${place.bucket}/${place.prefix}`

/** Refuses settings that are unsafe in production, and names the setting. */
function refuseUnsafe(config: Config, env: Environment): void {
  const isOpen = !LOOPBACK.includes(config.host)
  if (isOpen && !env.PUBLIC_URL?.trim())
    throw new ConfigError(`PUBLIC_URL is not set, but HOST (${config.host}) is not loopback.`)
  const urls = { PUBLIC_URL: config.public_url, AUTH_URL: config.auth_url, CHAT_URL: config.chat_url }
  for (const [name, url] of Object.entries(urls)) {
    if (!url.startsWith('https:') && (isOpen || !isOnThisMachine(new URL(url))))
      throw new ConfigError(`${name} is not https, but is used by other machines: ${url}`)
  }
}

/** The shortest key that cannot be guessed. */
const KEY_LENGTH = 24

/** With the test helpers, their key can do anything to tokens, so `serve` has them only if the operator means it (Q15). */
function refuseUnsafeHelpers({ public_url, auth_url, chat_url }: Config, read: Read): void {
  const url = [public_url, auth_url, chat_url].find((one) => !isOnThisMachine(new URL(one)))
  if (read('TEST_HELPERS') !== PUBLIC && url !== undefined)
    throw new ConfigError(
      `TEST_HELPERS is on, but other machines use this server as ${url}. If this is meant, set it to ${PUBLIC}.`,
    )
  const { length } = read('TEST_HELPERS_KEY')
  if (length === 0) throw new ConfigError('TEST_HELPERS_KEY is not set; with TEST_HELPERS, serve needs it.')
  if (length < KEY_LENGTH)
    throw new ConfigError(
      `TEST_HELPERS_KEY has ${length} characters; it must have at least ${KEY_LENGTH}, so that it cannot be guessed.`,
    )
}

/** Whether a host name is one of this machine alone. */
export const isOnThisMachine = ({ hostname }: Pick<URL, 'hostname'>): boolean =>
  /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname)

function readTls(cert: string, key: string): Config['tls'] {
  if (!cert && !key) return null
  if (!cert || !key) throw new ConfigError('TLS_CERT and TLS_KEY must be set together; only one is set.')
  for (const [name, file] of [
    ['TLS_CERT', cert],
    ['TLS_KEY', key],
  ] as const) {
    try {
      readFileSync(file)
    } catch (error) {
      throw new ConfigError(`${name} cannot be read: ${(error as Error).message}`)
    }
  }
  return { cert: resolve(cert), key: resolve(key) }
}

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) throw new ConfigError(`PORT is not a port: ${text}`)
  return Number(text)
}

function readWorkers(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MOST_WORKERS)
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > MOST_WORKERS)
    throw new ConfigError(`WORKERS is neither a number from 1 to ${MOST_WORKERS} nor auto: ${text}`)
  return Number(text)
}

function readListen(text: string): Config['metrics_listen'] {
  if (text === 'off') return null
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if ((!isIP(address) && address !== 'localhost') || Number(port) > 65535)
    throw new ConfigError(`METRICS_LISTEN is neither an IP address with a port nor off: ${text}`)
  return { host: address, port: Number(port) }
}

function readBytes(name: SettingName, text: string): number {
  const bytes = /^\d{1,16}$/.test(text) ? Number(text) : 0
  if (bytes < 1 || !Number.isSafeInteger(bytes))
    throw new ConfigError(`${name} is not a number of bytes: ${text}`)
  return bytes
}

function readAddresses(name: SettingName, text: string): string[] {
  const addresses = list(text)
  const wrong = addresses.find((one) => !isIP(one) && !ipaddr.isValidCIDR(one))
  if (wrong !== undefined)
    throw new ConfigError(`${name} has an entry that is neither an address nor a range: ${wrong}`)
  return addresses
}

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/

function readDomains(name: SettingName, text: string): string[] {
  if (text === 'off') return []
  const domains = list(text.toLowerCase())
  const wrong = domains.find((domain) => !DOMAIN.test(domain))
  if (wrong !== undefined)
    throw new ConfigError(`${name} has an entry that is not a domain such as kommo.com: ${wrong}`)
  return domains
}

function readOrigin(name: SettingName, text: string): string {
  const url = URL.parse(text)
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username ||
    url.pathname !== '/' ||
    url.search ||
    url.hash
  )
    throw new ConfigError(`${name} must be a scheme, a host and an optional port: ${text}`)
  return url.origin
}

/** Accounts are subdomains of the host (P5), and an IP address has none. */
function readPublicUrl(text: string): string {
  const origin = readOrigin('PUBLIC_URL', text)
  const { hostname } = new URL(origin)
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')))
    throw new ConfigError(
      `PUBLIC_URL has the IP address ${hostname}, but accounts are subdomains of its host. ` +
        'Use a name whose subdomains lead to the server too, such as hub.example.com, or localhost on one machine.',
    )
  return origin
}

const S3_SETTINGS = ['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
/** A bucket name that every service accepts, then folders of letters that are portable. */
const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-][\w.-]{0,99}){0,8})\/?$/

/** Returns null without FILES_URL. Errors do not contain the value, because people put keys into wrong settings. */
function readFilePlace(read: Read): FilePlace | null {
  const url = read('FILES_URL')
  if (!url) {
    const lonely = S3_SETTINGS.find((name) => read(name))
    if (lonely)
      throw new ConfigError(`${lonely} is set, but FILES_URL is not: files would be stored on this disk.`)
    return null
  }
  const [, bucket = '', folders = ''] = S3_URL.exec(url) ?? []
  if (!bucket) throw new ConfigError('FILES_URL is not s3://BUCKET or s3://BUCKET/PREFIX.')
  for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) {
    if (!/^[\x21-\x7e]+$/.test(read(name)))
      throw new ConfigError(`${name} is not set or is not a valid key; FILES_URL requires it.`)
  }
  const endpoint = readEndpoint(read('S3_ENDPOINT'))
  const region = read('S3_REGION') || (endpoint && 'us-east-1')
  if (!/^[a-z0-9-]{1,40}$/i.test(region))
    throw new ConfigError('S3_REGION is not set or is not a valid region; a bucket on AWS requires it.')
  const prefix = folders && `${folders.slice(1)}/`
  return { kind: 's3', bucket, prefix, endpoint, region }
}

/** Keeps the path: some services are not at the root of their host. */
function readEndpoint(text: string): string {
  const url = URL.parse(text)
  if (text && (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash))
    throw new ConfigError('S3_ENDPOINT is not an http or https URL without credentials, query and fragment.')
  return url?.href.replace(/\/+$/, '') ?? ''
}

/** Errors do not contain the value, which can have a password. */
function readDatabaseUrl(name: SettingName, text: string): string {
  if (text && !/^postgres(ql)?:\/\//.test(text))
    throw new ConfigError(`${name} does not start with postgres://`)
  // The host of a socket is a parameter: postgres://patchbay@/patchbay?host=/run/postgresql.
  if (text && !URL.canParse(text.replace('@/', '@localhost/')))
    throw new ConfigError(
      `${name} is not a URL. Special characters of a password must be encoded, such as / by %2F and # by %23.`,
    )
  return withKnownSslMode(name, text)
}

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * The driver checks the certificate with `prefer`, `require` and `verify-ca`, as it does with `verify-full`, and prints a
 * warning for developers at each start. With an unknown mode it does the same, so a misspelt one would not be noticed.
 */
function withKnownSslMode(name: SettingName, url: string): string {
  const [, mode] = /[?&]sslmode=([^&#]*)/.exec(url) ?? []
  if (mode === undefined || url.includes('uselibpqcompat=')) return url
  if (!SSL_MODES.includes(mode))
    throw new ConfigError(`${name} has an sslmode that is not one of ${SSL_MODES.join(', ')}: ${mode}`)
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/g, '$1verify-full')
}

function readReplicaUrl(read: Read): string {
  const url = readDatabaseUrl('READ_URL', read('READ_URL'))
  if (url && !read('DATABASE_URL'))
    throw new ConfigError('READ_URL is set, but DATABASE_URL is not: the embedded database has no replicas.')
  return url
}

const SAMPLERS = ['always_on', 'always_off', 'traceidratio']
/** Variables of the export that few operators set. */
const BATCHES = {
  OTEL_BSP_SCHEDULE_DELAY: 'scheduledDelayMillis',
  OTEL_BSP_MAX_QUEUE_SIZE: 'maxQueueSize',
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 'maxExportBatchSize',
} as const

/** By the standard variables of OpenTelemetry. Errors do not contain the address, which can have a key. */
function readTelemetry(env: Environment): TelemetryConfig | null {
  const read = (name: string) => env[name]?.trim() || (settings[name as SettingName]?.[0] ?? '')
  const own = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  const name = read(own) ? own : 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const isOff = read('OTEL_SDK_DISABLED').toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none'
  if (!read(name) || isOff) return null
  if (!/^https?:$/.test(URL.parse(read(name))?.protocol ?? ''))
    throw new ConfigError(`${name} is not an http or https URL.`)
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL?.trim() || read('OTEL_EXPORTER_OTLP_PROTOCOL')
  oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', protocol, ['http/protobuf', 'http/json'])
  const samplers = [...SAMPLERS, ...SAMPLERS.map((sampler) => `parentbased_${sampler}`)]
  const ratio = Number(read('OTEL_TRACES_SAMPLER_ARG'))
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigError(
      `OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1: ${read('OTEL_TRACES_SAMPLER_ARG')}`,
    )
  const batches = Object.entries(BATCHES).flatMap(([variable, member]) => {
    const text = read(variable)
    if (text && !/^[1-9]\d{0,8}$/.test(text))
      throw new ConfigError(`${variable} is not a positive number: ${text}`)
    return text ? [[member, Number(text)] as const] : []
  })
  return {
    protocol: protocol as TelemetryConfig['protocol'],
    sampler: oneOf('OTEL_TRACES_SAMPLER', read('OTEL_TRACES_SAMPLER'), samplers),
    ratio,
    batches: Object.fromEntries(batches),
  }
}

function readRanges(text: string): string[] {
  const ranges = list(text)
  const wrong = ranges.find((range) => !ipaddr.isValidCIDR(range))
  if (wrong !== undefined)
    throw new ConfigError(`OUTBOUND_ALLOW is not a list of address ranges (CIDR): ${wrong}`)
  return ranges
}

function oneOf(name: SettingName, value: string, allowed: string[]): string {
  if (!allowed.includes(value)) throw new ConfigError(`${name} is not one of ${allowed.join(', ')}: ${value}`)
  return value
}

const list = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
