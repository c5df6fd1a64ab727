import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'

/** Every setting with its default and a sentence; `patchbay --help` prints this table. */
export const settings = {
  HOST: ['127.0.0.1', 'Address to listen on.'],
  PORT: ['8080', 'Port to listen on; 0 takes a free one.'],
  METRICS_LISTEN: [
    '',
    'Address and port of /metrics and /readyz, or off; empty is 127.0.0.1:9464 for serve and off for dev.',
  ],
  DATA_DIR: ['./data', 'Folder of the embedded database, the files, the master key and the demo sign-in.'],
  DATABASE_URL: ['', 'PostgreSQL address; empty uses the embedded database in DATA_DIR.'],
  PUBLIC_URL: [
    '',
    'Base address under which people and integrations reach the server; accounts are subdomains of it.',
  ],
  AUTH_URL: ['', 'Address of the consent page; empty is PUBLIC_URL.'],
  CHAT_URL: ['', 'Address of the chat channel API; empty is PUBLIC_URL.'],
  TLS_CERT: ['', 'File with the certificate chain (PEM); with TLS_KEY the server speaks https by itself.'],
  TLS_KEY: ['', 'File with the private key (PEM) of TLS_CERT.'],
  TRUST_PROXY: ['', 'Addresses of proxies whose X-Forwarded-* headers are believed, separated by commas.'],
  OUTBOUND_ALLOW: [
    '',
    'Address ranges that are not public but may be called all the same, as CIDR, separated by commas.',
  ],
  FILES_URL: [
    '',
    'Where files are kept: s3://BUCKET or s3://BUCKET/PREFIX; empty is the folder "files" in DATA_DIR.',
  ],
  S3_ENDPOINT: ['', 'Address of an S3 service other than that of AWS; buckets are named in its path.'],
  S3_REGION: ['', 'Region of the bucket; empty is us-east-1 where S3_ENDPOINT is set.'],
  S3_ACCESS_KEY_ID: ['', 'Name of the key to the bucket: to read, write, delete and list.'],
  S3_SECRET_ACCESS_KEY: ['', 'Secret. The key itself.'],
  FILE_LIMIT: ['314572800', 'Largest file that can be uploaded, in bytes.'],
  FILES_LIMIT: [
    '10737418240',
    'Bytes that the files of one account may take together, with older versions and the trash.',
  ],
  RATE_LIMITS: ['on', 'on or off: the documented limits on requests.'],
  LOG_LEVEL: ['info', 'fatal, error, warn, info, debug, trace or silent.'],
  MASTER_KEY: [
    '',
    'Secret. 32 bytes in base64 that seal stored secrets; empty reads or makes DATA_DIR/master.key.',
  ],
} as const satisfies Record<string, readonly [string, string]>

export type SettingName = keyof typeof settings
type Environment = Record<string, string | undefined>
type Read = (name: SettingName) => string

export type Mode = 'dev' | 'serve'

/** What the program runs with. Frozen; holds no secret, so that it can be logged. */
export interface Config {
  mode: Mode
  host: string
  port: number
  /** Where operators ask for `/metrics` and `/readyz`; null where nobody does. */
  metrics_listen: { host: string; port: number } | null
  data_dir: string
  database_url: string
  public_url: string
  auth_url: string
  chat_url: string
  tls: { cert: string; key: string } | null
  trust_proxy: string[]
  outbound_allow: string[]
  files: FilePlace
  file_limit: number
  files_limit: number
  rate_limits: boolean
  log_level: string
}

/** Where the bytes of files are kept. */
export type FilePlace =
  | { kind: 'disk'; folder: string }
  /** Keys begin with the prefix, which is empty or ends with a slash. No endpoint is that of AWS. */
  | { kind: 's3'; bucket: string; prefix: string; endpoint: string; region: string }

/** What opens the bucket. Not in the Config, as the master key is not. */
export interface S3Keys {
  id: string
  secret: string
}

/** A setting that cannot be run with. The message names the setting. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The usual port of metrics of Prometheus. No other machine is let in unless the operator says so. */
const METRICS_LISTEN = '127.0.0.1:9464'
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

/** Reads and cross-checks the environment. Throws ConfigError on the first setting that does not hold (P4). */
export function readConfig(mode: Mode, env: Environment): Config {
  const read: Read = (name) => env[name]?.trim() || settings[name][0]
  const tls = readTls(read('TLS_CERT'), read('TLS_KEY'))
  const port = readPort(read('PORT'))
  const public_url = readOrigin(
    'PUBLIC_URL',
    read('PUBLIC_URL') || `${tls ? 'https' : 'http'}://localhost:${port}`,
  )
  const data_dir = resolve(read('DATA_DIR'))
  const config: Config = {
    mode,
    host: read('HOST'),
    port,
    metrics_listen: readListen(read('METRICS_LISTEN') || (mode === 'serve' ? METRICS_LISTEN : 'off')),
    data_dir,
    database_url: readDatabaseUrl(read('DATABASE_URL')),
    public_url,
    auth_url: read('AUTH_URL') ? readOrigin('AUTH_URL', read('AUTH_URL')) : public_url,
    chat_url: read('CHAT_URL') ? readOrigin('CHAT_URL', read('CHAT_URL')) : public_url,
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
    rate_limits: oneOf('RATE_LIMITS', read('RATE_LIMITS'), ['on', 'off']) === 'on',
    log_level: oneOf('LOG_LEVEL', read('LOG_LEVEL'), LOG_LEVELS),
  }
  if (mode === 'serve') refuseUnsafe(config, env)
  return Object.freeze(config)
}

export function masterKeyFile(config: Config): string {
  return join(config.data_dir, 'master.key')
}

/** Empty where files are kept on the disk. */
export function readS3Keys(env: Environment): S3Keys {
  return { id: env.S3_ACCESS_KEY_ID?.trim() ?? '', secret: env.S3_SECRET_ACCESS_KEY?.trim() ?? '' }
}

/** As a person would name it. */
export const nameOfPlace = (place: FilePlace): string =>
  place.kind === 'disk' ? place.folder : `s3://${place.bucket}/${place.prefix}`

/** `serve` is for good: it starts on nothing that would be regretted later, and says which setting it is. */
function refuseUnsafe(config: Config, env: Environment): void {
  const isOpen = !LOOPBACK.includes(config.host)
  if (isOpen && !env.PUBLIC_URL?.trim())
    throw new ConfigError(`PUBLIC_URL is not set, but HOST (${config.host}) is not loopback.`)
  const urls = { PUBLIC_URL: config.public_url, AUTH_URL: config.auth_url, CHAT_URL: config.chat_url }
  for (const [name, url] of Object.entries(urls)) {
    if (!url.startsWith('https:') && (isOpen || !isOnThisMachine(new URL(url))))
      throw new ConfigError(`${name} is not https, but is for others than this machine: ${url}`)
  }
}

const isOnThisMachine = ({ hostname }: URL): boolean => /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname)

function readTls(cert: string, key: string): Config['tls'] {
  if (!cert && !key) return null
  if (!cert || !key) throw new ConfigError('TLS_CERT and TLS_KEY go together; only one of them is set.')
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
  if (wrong !== undefined) throw new ConfigError(`${name} holds no address and no range of them: ${wrong}`)
  return addresses
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
    throw new ConfigError(`${name} is not a scheme, a host and a port alone: ${text}`)
  return url.origin
}

const S3_SETTINGS = ['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
/** A bucket as every service takes it, then folders of letters that mean the same everywhere. */
const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-][\w.-]{0,99}){0,8})\/?$/

/** Null without FILES_URL. What is wrong is not repeated: people write keys where they do not belong. */
function readFilePlace(read: Read): FilePlace | null {
  const url = read('FILES_URL')
  if (!url) {
    const lonely = S3_SETTINGS.find((name) => read(name))
    if (lonely)
      throw new ConfigError(`${lonely} is set, but FILES_URL is not: files would be kept on this disk.`)
    return null
  }
  const [, bucket = '', folders = ''] = S3_URL.exec(url) ?? []
  if (!bucket) throw new ConfigError('FILES_URL is not s3://BUCKET or s3://BUCKET/PREFIX.')
  for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) {
    if (!/^[\x21-\x7e]+$/.test(read(name)))
      throw new ConfigError(`${name} is not set, or is no key; FILES_URL needs it.`)
  }
  const endpoint = readEndpoint(read('S3_ENDPOINT'))
  const region = read('S3_REGION') || (endpoint && 'us-east-1')
  if (!/^[a-z0-9-]{1,40}$/i.test(region))
    throw new ConfigError('S3_REGION is not set, or is no region; a bucket of AWS is in one.')
  const prefix = folders && `${folders.slice(1)}/`
  return { kind: 's3', bucket, prefix, endpoint, region }
}

/** Some services are not at the root of their host. */
function readEndpoint(text: string): string {
  const url = URL.parse(text)
  if (text && (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash))
    throw new ConfigError(
      'S3_ENDPOINT is not an http or https address without a name, a query and a fragment.',
    )
  return url?.href.replace(/\/+$/, '') ?? ''
}

function readDatabaseUrl(text: string): string {
  if (text && !/^postgres(ql)?:\/\//.test(text))
    throw new ConfigError('DATABASE_URL does not start with postgres://')
  return text
}

function readRanges(text: string): string[] {
  const ranges = list(text)
  const wrong = ranges.find((range) => !ipaddr.isValidCIDR(range))
  if (wrong !== undefined)
    throw new ConfigError(`OUTBOUND_ALLOW is not a list of address ranges (CIDR): ${wrong}`)
  return ranges
}

function oneOf(name: SettingName, value: string, allowed: string[]): string {
  if (!allowed.includes(value)) throw new ConfigError(`${name} is none of ${allowed.join(', ')}: ${value}`)
  return value
}

const list = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
