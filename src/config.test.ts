import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, masterKeyFile, nameOfPlace, readConfig, readS3Keys } from './config.ts'
import { type SettingName, settings } from './setting-table.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'patchbay-config-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** A bucket on AWS, and its key. */
const BUCKET = {
  FILES_URL: 's3://files',
  S3_REGION: 'eu-central-1',
  S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  S3_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI',
}

describe('Settings', () => {
  test('have defaults that are valid for dev', () => {
    expect(readConfig('dev', {})).toEqual({
      mode: 'dev',
      host: '127.0.0.1',
      port: 8080,
      workers: 1,
      metrics_listen: null,
      data_dir: resolve('./data'),
      database_url: '',
      read_url: '',
      public_url: 'http://localhost:8080',
      auth_url: 'http://localhost:8080',
      chat_url: 'http://localhost:8080',
      host_aliases: ['amocrm.ru', 'amocrm.com', 'kommo.com'],
      tls: null,
      trust_proxy: [],
      outbound_allow: ['127.0.0.0/8', '::1/128'],
      files: { kind: 'disk', folder: resolve('./data/files') },
      file_limit: 314_572_800,
      files_limit: 10_737_418_240,
      rate_limits: true,
      test_helpers: true,
      telemetry: null,
      log_level: 'warn',
    })
    expect(readConfig('serve', {}).log_level).toBe('info')
    expect(readConfig('command', {}).log_level).toBe('warn')
  })

  test('WORKERS is a number, or one process per core', () => {
    expect(readConfig('serve', { WORKERS: '4' }).workers).toBe(4)
    expect(readConfig('dev', { WORKERS: 'auto' }).workers).toBe(Math.min(availableParallelism(), 64))
  })

  test('are read without surrounding blanks', () => {
    const made = folder()
    for (const name of ['cert', 'key']) writeFileSync(join(made, name), 'x')
    expect(
      readConfig('serve', {
        HOST: ' 0.0.0.0 ',
        PORT: '443',
        WORKERS: ' 3',
        DATA_DIR: made,
        DATABASE_URL: 'postgresql://db/patchbay',
        READ_URL: 'postgres://replica/patchbay',
        PUBLIC_URL: 'https://CRM.example:443/',
        AUTH_URL: 'https://sign-in.example',
        CHAT_URL: 'https://chat.example:9443',
        HOST_ALIASES: 'AmoCRM.ru, kommo.com',
        TLS_CERT: join(made, 'cert'),
        TLS_KEY: join(made, 'key'),
        TRUST_PROXY: '10.0.0.1, 10.0.1.0/24,',
        OUTBOUND_ALLOW: '10.0.0.0/8,fd00::/8',
        FILES_URL: ' s3://files.example/patch/bay/ ',
        S3_ENDPOINT: 'https://Storage.example:9000/v1/s3/',
        S3_REGION: 'eu-central-1',
        S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        S3_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7+=',
        FILE_LIMIT: '1048576',
        FILES_LIMIT: '1099511627776',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
      }),
    ).toEqual({
      mode: 'serve',
      host: '0.0.0.0',
      port: 443,
      workers: 3,
      metrics_listen: { host: '127.0.0.1', port: 9464 },
      data_dir: made,
      database_url: 'postgresql://db/patchbay',
      read_url: 'postgres://replica/patchbay',
      public_url: 'https://crm.example',
      auth_url: 'https://sign-in.example',
      chat_url: 'https://chat.example:9443',
      host_aliases: ['amocrm.ru', 'kommo.com'],
      tls: { cert: join(made, 'cert'), key: join(made, 'key') },
      trust_proxy: ['10.0.0.1', '10.0.1.0/24'],
      outbound_allow: ['10.0.0.0/8', 'fd00::/8'],
      files: {
        kind: 's3',
        bucket: 'files.example',
        prefix: 'patch/bay/',
        endpoint: 'https://storage.example:9000/v1/s3',
        region: 'eu-central-1',
      },
      file_limit: 1_048_576,
      files_limit: 1_099_511_627_776,
      rate_limits: false,
      test_helpers: false,
      telemetry: null,
      log_level: 'warn',
    })
  })

  test('have their defaults if they are empty', () => {
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '  ']))
    expect(readConfig('dev', empty)).toEqual(readConfig('dev', {}))
  })

  test('are frozen, and contain no secret', () => {
    const config = readConfig('dev', { MASTER_KEY: 'c2VjcmV0', ...BUCKET })
    expect(Object.isFrozen(config)).toBe(true)
    const secrets = ['c2VjcmV0', BUCKET.S3_ACCESS_KEY_ID, BUCKET.S3_SECRET_ACCESS_KEY]
    expect(secrets.filter((secret) => JSON.stringify(config).includes(secret))).toEqual([])
  })

  test.each([
    ['s3://files', 's3://files/', ''],
    ['s3://files/', 's3://files/', ''],
    ['s3://a.b-3/c', 's3://a.b-3/c/', 'c/'],
    ['s3://files/a-b_c.d/E', 's3://files/a-b_c.d/E/', 'a-b_c.d/E/'],
  ])('%s gives a bucket and a key prefix', (url, name, prefix) => {
    const { files } = readConfig('dev', { ...BUCKET, FILES_URL: url })
    expect(files).toEqual({
      kind: 's3',
      bucket: url.split('/')[2],
      prefix,
      endpoint: '',
      region: 'eu-central-1',
    })
    expect(nameOfPlace(files)).toBe(name)
  })

  test('a custom endpoint has a default region unless one is set', () => {
    const env = { ...BUCKET, S3_ENDPOINT: 'http://minio:9000', S3_REGION: '' }
    expect(readConfig('serve', env).files).toMatchObject({
      endpoint: 'http://minio:9000',
      region: 'us-east-1',
    })
    expect(readS3Keys({ ...env, S3_ACCESS_KEY_ID: ' AKIDEXAMPLE ' })).toEqual({
      id: 'AKIDEXAMPLE',
      secret: 'wJalrXUtnFEMI',
    })
    expect(readS3Keys({})).toEqual({ id: '', secret: '' })
  })

  test('the URL is https with certificates', () => {
    const made = folder()
    for (const name of ['cert', 'key']) writeFileSync(join(made, name), 'x')
    const env = { TLS_CERT: join(made, 'cert'), TLS_KEY: join(made, 'key'), PORT: '9000' }
    expect(readConfig('dev', env).public_url).toBe('https://localhost:9000')
  })

  test('serve calls no private address unless it is allowed', () => {
    expect(readConfig('serve', {}).outbound_allow).toEqual([])
  })

  test('have a description each', () => {
    for (const [name, [, sentence]] of Object.entries(settings))
      expect([name, /^[A-Z].+\.$/.test(sentence) || /\.$/.test(sentence)]).toEqual([name, true])
  })

  test('the export of traces has the standard variables', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
    const standard = { protocol: 'http/protobuf', sampler: 'parentbased_always_on', ratio: 1, batches: {} }
    expect(readConfig('dev', endpoint).telemetry).toEqual(standard)
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/x?key=a-secret-key' }
    const more = {
      ...own,
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    }
    const config = readConfig('dev', more)
    const batches = { scheduledDelayMillis: 100 }
    expect(config.telemetry).toEqual({ protocol: 'http/json', sampler: 'traceidratio', ratio: 0.25, batches })
    expect(JSON.stringify(config)).not.toContain('a-secret-key')
    expect(readConfig('dev', { ...endpoint, OTEL_SDK_DISABLED: 'true' }).telemetry).toBeNull()
    expect(readConfig('dev', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }).telemetry).toBeNull()
    for (const [name, value] of [
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
      ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
      ['OTEL_TRACES_SAMPLER', 'sometimes'],
      ['OTEL_TRACES_SAMPLER_ARG', 'half'],
      ['OTEL_BSP_MAX_QUEUE_SIZE', '-1'],
    ] as const)
      expect(() => readConfig('dev', { ...endpoint, [name]: value })).toThrow(new RegExp(`^${name} `))
  })

  test('include the data folder, which contains the master key', () => {
    expect(masterKeyFile(readConfig('dev', { DATA_DIR: '/somewhere' }))).toBe('/somewhere/master.key')
  })
})

describe('An invalid setting is named', () => {
  const messageOf = (read: () => unknown): string => {
    try {
      read()
    } catch (error) {
      if (error instanceof ConfigError) return error.message
    }
    return ''
  }
  const wrong: [SettingName, string[]][] = [
    ['PORT', ['x', '-1', '65536', '80.5', '1e400', '0x1F90', '8080 8081']],
    ['WORKERS', ['x', '0', '-1', '1.5', '65', '1000', 'AUTO']],
    [
      'DATABASE_URL',
      ['mysql://db', 'db', '/var/lib/db', 'http://db', 'postgres://a:b/c@db/d', 'postgres://db/d?sslmode=on'],
    ],
    ['READ_URL', ['mysql://db', 'on', 'postgres://replica/patchbay']],
    [
      'PUBLIC_URL',
      [
        'crm.example',
        'ftp://crm.example',
        'https://crm.example/a',
        'https://a:b@crm.example',
        'https://a@crm.example',
        'https://crm.example?a',
        'https://crm.example#a',
        '//crm.example',
        'https://',
        'https://192.0.2.1:8443',
        'http://127.0.0.1:9000',
        'http://[::1]:9000',
      ],
    ],
    ['AUTH_URL', ['sign-in.example', 'javascript:alert(1)']],
    ['CHAT_URL', ['chat.example', 'ws://chat.example']],
    [
      'HOST_ALIASES',
      ['https://kommo.com', 'kommo', '*.kommo.com', 'kommo.com:443', '10.0.0.1', '.kommo.com'],
    ],
    ['TLS_CERT', ['/nothing/cert.pem']],
    ['TLS_KEY', ['/nothing/key.pem']],
    ['TRUST_PROXY', ['proxy.example', '10.0.0.0/99', 'true', '*']],
    ['OUTBOUND_ALLOW', ['10.0.0.0', 'intranet', '10.0.0.0/33', '*']],
    [
      'FILES_URL',
      [
        '/var/files',
        'file:///var/files',
        'https://files.s3.amazonaws.com',
        's3:files',
        's3://',
        's3://ab',
        's3://Files',
        's3://-files',
        's3://files//a',
        's3://files/../a',
        's3://files/.',
        's3://files/a b',
        's3://files/a?b',
        's3://key:secret@files',
      ],
    ],
    ['FILE_LIMIT', ['0', '-1', '1.5', '300 MB', '1e9', '9007199254740992']],
    ['FILES_LIMIT', ['0', 'none', '10GB']],
    ['RATE_LIMITS', ['yes', 'true', 'ON']],
    ['LOG_LEVEL', ['verbose', 'INFO']],
  ]

  test.each(wrong.flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    '%s=%s',
    (name, value) => {
      const read = () => readConfig('dev', { [name]: value })
      expect(read).toThrow(ConfigError)
      expect(read).toThrow(name)
    },
  )

  test.each<[SettingName, string[]]>([
    [
      'S3_ENDPOINT',
      [
        'minio:9000',
        'ftp://minio',
        'https://',
        'https://key:secret@minio',
        'https://minio?a',
        'https://minio#a',
      ],
    ],
    ['S3_REGION', ['', 'Frankfurt am Main', 'eu/central']],
    ['S3_ACCESS_KEY_ID', ['', 'two words']],
    ['S3_SECRET_ACCESS_KEY', ['', 'two words', 'schlüssel']],
  ])('%s of a bucket, without its value', (name, values) => {
    for (const value of values) {
      const read = () => readConfig('dev', { ...BUCKET, [name]: value })
      expect([value, read]).toEqual([
        value,
        expect.toSatisfy((one) => messageOf(one).startsWith(`${name} is `)),
      ])
      if (value) expect(messageOf(read)).not.toContain(value)
    }
    // Without a bucket, these settings have no effect, and files would be stored where nobody expects them.
    expect(() => readConfig('dev', { [name]: 'https://x' })).toThrow(`${name} is set, but FILES_URL is not`)
  })

  test.each([
    ['postgres://db/d?sslmode=require', 'postgres://db/d?sslmode=verify-full'],
    [
      'postgres://db/d?a=1&sslmode=verify-ca&sslrootcert=/c',
      'postgres://db/d?a=1&sslmode=verify-full&sslrootcert=/c',
    ],
    ['postgres://db/d?sslmode=no-verify', 'postgres://db/d?sslmode=no-verify'],
    [
      'postgres://db/d?sslmode=require&uselibpqcompat=true',
      'postgres://db/d?sslmode=require&uselibpqcompat=true',
    ],
  ])('but not %s, of which the driver would warn', (url, expected) => {
    expect(readConfig('dev', { DATABASE_URL: url }).database_url).toBe(expected)
  })

  test('a certificate without its key, or one that cannot be read', () => {
    const made = folder()
    const file = join(made, 'file')
    writeFileSync(file, 'x')
    expect(() => readConfig('dev', { TLS_CERT: file })).toThrow(/TLS_CERT and TLS_KEY/)
    expect(() => readConfig('dev', { TLS_KEY: file })).toThrow(/TLS_CERT and TLS_KEY/)
    expect(() => readConfig('dev', { TLS_CERT: file, TLS_KEY: join(made, 'none') })).toThrow(
      /^TLS_KEY cannot be read/,
    )
    expect(() => readConfig('dev', { TLS_CERT: join(made, 'none'), TLS_KEY: file })).toThrow(
      /^TLS_CERT cannot be read/,
    )
  })
})

describe('serve refuses unsafe settings (P4)', () => {
  test.each([
    [{ HOST: '0.0.0.0' }, /^PUBLIC_URL is not set/],
    [{ HOST: '::' }, /^PUBLIC_URL is not set/],
    [{ HOST: '192.0.2.1', PUBLIC_URL: ' ' }, /^PUBLIC_URL is not set/],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://crm.example' }, /^PUBLIC_URL is not https/],
    [
      { HOST: '0.0.0.0', PUBLIC_URL: 'https://crm.example', AUTH_URL: 'http://sign-in.example' },
      /^AUTH_URL is not https/,
    ],
    [
      { HOST: '0.0.0.0', PUBLIC_URL: 'https://crm.example', CHAT_URL: 'http://chat.example' },
      /^CHAT_URL is not https/,
    ],
    [{ PUBLIC_URL: 'http://crm.example' }, /^PUBLIC_URL is not https/],
  ])('%j', (env, message) => {
    expect(() => readConfig('serve', env)).toThrow(ConfigError)
    expect(() => readConfig('serve', env)).toThrow(message)
    // dev accepts it.
    expect(readConfig('dev', env).mode).toBe('dev')
  })

  test.each([
    {},
    { HOST: '::1' },
    { HOST: 'localhost', PUBLIC_URL: 'http://localhost:9000' },
    { PUBLIC_URL: 'http://demo.localhost:9000' },
    { PUBLIC_URL: 'https://crm.example' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'https://crm.example' },
  ])('%j is safe', (env) => {
    expect(readConfig('serve', env).mode).toBe('serve')
  })
})

describe('The test helpers', () => {
  const KEY = 'a-key-that-nobody-can-guess'

  test('are on in dev, and off in serve', () => {
    expect(readConfig('dev', {}).test_helpers).toBe(true)
    expect(readConfig('dev', { TEST_HELPERS: 'off' }).test_helpers).toBe(false)
    expect(readConfig('serve', {}).test_helpers).toBe(false)
    expect(readConfig('serve', { TEST_HELPERS_KEY: KEY }).test_helpers).toBe(false)
  })

  test.each([
    { TEST_HELPERS: 'on', TEST_HELPERS_KEY: KEY },
    { TEST_HELPERS: 'on', TEST_HELPERS_KEY: KEY, PUBLIC_URL: 'https://hub.localhost' },
    { TEST_HELPERS: 'on-a-public-server', TEST_HELPERS_KEY: KEY, PUBLIC_URL: 'https://crm.example' },
  ])('%j switches them on in serve', (env) => {
    expect(readConfig('serve', env).test_helpers).toBe(true)
  })

  test.each([
    [{ TEST_HELPERS: 'yes' }, /^TEST_HELPERS is not one of on, off, on-a-public-server: yes/],
    [{ TEST_HELPERS: 'on' }, /^TEST_HELPERS_KEY is not set/],
    [{ TEST_HELPERS: 'on', TEST_HELPERS_KEY: 'short' }, /^TEST_HELPERS_KEY has 5 characters/],
    [
      { TEST_HELPERS: 'on', TEST_HELPERS_KEY: KEY, PUBLIC_URL: 'https://crm.example' },
      /^TEST_HELPERS is on, but other machines use this server as https:\/\/crm.example/,
    ],
    [
      { TEST_HELPERS: 'on', TEST_HELPERS_KEY: KEY, CHAT_URL: 'https://chat.example' },
      /^TEST_HELPERS is on, but other machines use this server as https:\/\/chat.example/,
    ],
    [{ TEST_HELPERS: 'on-a-public-server', PUBLIC_URL: 'https://crm.example' }, /^TEST_HELPERS_KEY is not/],
  ])('%j is refused in serve', (env, message) => {
    expect(() => readConfig('serve', env)).toThrow(ConfigError)
    expect(() => readConfig('serve', env)).toThrow(message)
  })
})
