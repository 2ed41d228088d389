import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError, listSettings, readConfig, unknownSettings } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'wayside-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const fileOf = (contents: string) => {
  files += 1
  const file = join(folder, `secret-${files}`)
  writeFileSync(file, contents)
  return file
}

const refusal = (env: Record<string, string>) => {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
  }
  return undefined
}

/** Those of days and hours. */
const DURATIONS = {
  backupEveryHours: 24,
  backupKeepDays: 14,
  openDays: 4,
  closedDays: 1096,
  rollupDays: 3653,
  alertDays: 3653,
  lightDays: 3653,
  sessionIdleHours: 12,
  sessionLongestHours: 168,
}

test('an empty environment gives the documented defaults', () => {
  expect(readConfig({})).toEqual({
    ...DURATIONS,
    roles: ['api', 'gateway', 'jobs'],
    httpPort: 8080,
    mqttPort: 1883,
    httpsPort: 8443,
    mqttsPort: 8883,
    tlsCert: undefined,
    tlsKey: undefined,
    plaintext: [],
    outboundAllow: [],
    mqttUrl: undefined,
    deviceCa: undefined,
    dataFolder: './data',
    databaseUrl: undefined,
    databaseOwnerUrl: undefined,
    demoDevices: 47,
    demoAlertDays: 365,
    demoPastDays: 31,
    demoPastPerSecond: 2000,
    backupFolder: undefined,
    backupKey: undefined,
    secretsKey: undefined,
    secretsOldKey: undefined,
    closingPercent: 50,
    deviceAnswerSeconds: 10,
    adminPassword: undefined,
    apiDocs: undefined,
    metricsToken: undefined,
    otlpUrl: undefined,
    otlpToken: undefined,
    tracedPercent: 100,
    publicUrl: undefined,
    securityContact: undefined,
    hstsSubdomains: 'no',
    bindAddress: '127.0.0.1',
    trustedProxies: [],
    proxyProtocol: [],
    labUsers: [],
    internalUsers: [],
    releaseKeys: [],
    streams: 1000,
    streamsPerUser: 32,
    supportUrl: undefined,
    tileUrl: undefined,
    tileAttribution: '',
    smtpUrl: undefined,
    mailFrom: undefined,
    logLevel: undefined,
    deviceMessagesPerSecond: undefined,
  })
})

test('the configuration cannot be changed after it was read', () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true)
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ WAYSIDE_HTTP_PORT: ' ', WAYSIDE_ADMIN_PASSWORD: '' })).toEqual(readConfig({}))
})

test('lists of users are split, trimmed and compared without case', () => {
  expect(readConfig({ WAYSIDE_LAB_USERS: ' Ann@example.org, bob@example.org ,' }).labUsers).toEqual([
    'ann@example.org',
    'bob@example.org',
  ])
})

test('trusted proxies are addresses and networks, and each listener chooses the PROXY protocol by itself', () => {
  const env = { WAYSIDE_TRUSTED_PROXIES: '10.0.0.0/8, ::1,', WAYSIDE_PROXY_PROTOCOL: 'MQTT' }
  expect(readConfig(env)).toMatchObject({ trustedProxies: ['10.0.0.0/8', '::1'], proxyProtocol: ['mqtt'] })
  expect(readConfig({ ...env, WAYSIDE_PROXY_PROTOCOL: 'mqtt,http' }).proxyProtocol).toEqual(['http', 'mqtt'])
})

test('the PROXY protocol needs to know whom to believe', () => {
  expect(refusal({ WAYSIDE_PROXY_PROTOCOL: 'http' })).toBe(
    'WAYSIDE_PROXY_PROTOCOL needs WAYSIDE_TRUSTED_PROXIES: the addresses of your balancers.',
  )
})

test('roles are some of three, and whoever has not all knows where the others are', () => {
  const env = {
    WAYSIDE_ROLES: 'Jobs, api',
    DATABASE_URL: 'postgres://wayside@127.0.0.1/wayside',
    WAYSIDE_PUBLIC_URL: 'https://signs.example.org',
    WAYSIDE_MQTT_URL: 'mqtts://signs.example.org',
  }
  expect(readConfig(env).roles).toEqual(['api', 'jobs'])
  expect(readConfig({ WAYSIDE_ROLES: 'jobs,api,gateway' }).roles).toEqual(['api', 'gateway', 'jobs'])
  expect(refusal({ ...env, DATABASE_URL: '' })).toMatch(/^WAYSIDE_ROLES needs DATABASE_URL:/)
  expect(refusal({ ...env, WAYSIDE_PUBLIC_URL: '' })).toMatch(/^WAYSIDE_ROLES needs WAYSIDE_PUBLIC_URL:/)
  expect(refusal({ ...env, WAYSIDE_MQTT_URL: '' })).toMatch(/^WAYSIDE_ROLES without gateway needs WAYSIDE_MQTT_URL:/)
  expect(readConfig({ ...env, WAYSIDE_MQTT_URL: '', WAYSIDE_ROLES: 'gateway' }).roles).toEqual(['gateway'])
  expect(refusal({ ...env, WAYSIDE_ROLES: 'api, mails' })).toBe(
    'WAYSIDE_ROLES must be one or more of api, gateway, jobs with commas between them, but is "api, mails".',
  )
  expect(refusal({ ...env, WAYSIDE_ROLES: ',' })).toMatch(/^WAYSIDE_ROLES must be one or more of/)
})

test('the contact of whoever finds a weakness is an address that can be followed', () => {
  expect(readConfig({ WAYSIDE_SECURITY_CONTACT: 'security@example.org' }).securityContact).toBe(
    'mailto:security@example.org',
  )
  expect(readConfig({ WAYSIDE_SECURITY_CONTACT: 'https://example.org/report' }).securityContact).toBe(
    'https://example.org/report',
  )
})

test('the public address loses its trailing slash', () => {
  expect(readConfig({ WAYSIDE_PUBLIC_URL: 'https://signs.example.org/' }).publicUrl).toBe('https://signs.example.org')
})

test.each([
  ['WAYSIDE_HTTP_PORT', '70000', 'WAYSIDE_HTTP_PORT must be a whole number from 0 to 65535, but is "70000".'],
  ['WAYSIDE_MQTT_PORT', '1e3', 'WAYSIDE_MQTT_PORT must be a whole number from 0 to 65535, but is "1e3".'],
  ['WAYSIDE_DEMO_DEVICES', '-1', 'WAYSIDE_DEMO_DEVICES must be a whole number from 0 to 10000, but is "-1".'],
  ['WAYSIDE_BIND', '0.0.0.0 ::', 'WAYSIDE_BIND must be one host name or IP address, but is "0.0.0.0 ::".'],
  [
    'WAYSIDE_LAB_USERS',
    'ann@example.org;bob',
    'WAYSIDE_LAB_USERS must be e-mail addresses with commas between them, but holds "ann@example.org;bob".',
  ],
  [
    'WAYSIDE_MAIL_FROM',
    'Signs <signs@example.org>',
    'WAYSIDE_MAIL_FROM must be one e-mail address, but is "Signs <signs@example.org>".',
  ],
  [
    'WAYSIDE_SECURITY_CONTACT',
    'the porter',
    'WAYSIDE_SECURITY_CONTACT must be one e-mail address, or one address that begins with https:, but is "the porter".',
  ],
  [
    'WAYSIDE_RELEASE_KEYS',
    'no key',
    'WAYSIDE_RELEASE_KEYS must be public keys with commas between them, but holds "no key".',
  ],
  [
    'WAYSIDE_TRUSTED_PROXIES',
    '10.0.0.1, proxy.example.org',
    'WAYSIDE_TRUSTED_PROXIES must be IP addresses or networks such as 10.0.0.0/8 with commas between them, but holds "proxy.example.org".',
  ],
  [
    'WAYSIDE_TRUSTED_PROXIES',
    '0.0.0.0/0',
    'WAYSIDE_TRUSTED_PROXIES would believe everybody with "0.0.0.0/0": name the addresses of your proxies.',
  ],
  [
    'WAYSIDE_TRUSTED_PROXIES',
    '10.0.0.1/8',
    'WAYSIDE_TRUSTED_PROXIES holds "10.0.0.1/8", in which bits beyond the prefix are set.',
  ],
  [
    'WAYSIDE_PROXY_PROTOCOL',
    'yes',
    'WAYSIDE_PROXY_PROTOCOL must be one or more of http, mqtt, https, mqtts with commas between them, but is "yes".',
  ],
  [
    'WAYSIDE_PLAINTEXT',
    'https',
    'WAYSIDE_PLAINTEXT must be one or more of http, mqtt with commas between them, but is "https".',
  ],
  [
    'WAYSIDE_MQTT_URL',
    'wayside.example',
    'WAYSIDE_MQTT_URL must be an address that begins with mqtt: or mqtts: or ws: or wss:.',
  ],
  [
    'WAYSIDE_PUBLIC_URL',
    'https://intern.example/wayside',
    'WAYSIDE_PUBLIC_URL must be a host without a path, as in https://wayside.example.org: the console does not work below one.',
  ],
  [
    'WAYSIDE_PUBLIC_URL',
    'https://ada:secret@signs.example',
    'WAYSIDE_PUBLIC_URL must hold neither a user name nor a password.',
  ],
  ['WAYSIDE_PUBLIC_URL', 'signs', 'WAYSIDE_PUBLIC_URL must be an address that begins with http: or https:.'],
  [
    'WAYSIDE_SUPPORT_URL',
    'javascript:alert(1)',
    'WAYSIDE_SUPPORT_URL must be an address that begins with http: or https:.',
  ],
  ['WAYSIDE_TILE_URL', 'https://tiles.example.org', 'WAYSIDE_TILE_URL must contain {z}, {x} and {y}.'],
  [
    'WAYSIDE_ADMIN_PASSWORD',
    'seven lamps',
    'WAYSIDE_ADMIN_PASSWORD cannot be used: A password has at least 15 characters.',
  ],
  [
    'WAYSIDE_ADMIN_PASSWORD',
    'seven lamps '.repeat(11),
    'WAYSIDE_ADMIN_PASSWORD cannot be used: A password has at most 128 characters.',
  ],
  ['WAYSIDE_API_DOCS', 'yes', 'WAYSIDE_API_DOCS must be public or off, but is "yes".'],
  [
    'WAYSIDE_METRICS_TOKEN',
    'thirty-one characters, not more'.replaceAll(' ', '-'),
    'WAYSIDE_METRICS_TOKEN must be at least 32 letters, digits and signs without spaces.',
  ],
  ['WAYSIDE_SESSION_IDLE_HOURS', '0', 'WAYSIDE_SESSION_IDLE_HOURS must be a whole number from 1 to 720, but is "0".'],
])('a bad %s is refused in one sentence that says which and why', (name, value, sentence) => {
  expect(refusal({ [name]: value })).toBe(sentence)
})

test('a refused database address does not repeat its password', () => {
  expect(refusal({ DATABASE_URL: 'mysql://me:canary@host/db' })).toBe(
    'DATABASE_URL must be an address that begins with postgres: or postgresql:.',
  )
})

test('an owner address alone is refused', () => {
  expect(refusal({ DATABASE_OWNER_URL: 'postgres://host/db' })).toContain('DATABASE_OWNER_URL needs DATABASE_URL')
})

test('one port for both HTTP and MQTT is refused', () => {
  expect(refusal({ WAYSIDE_HTTP_PORT: '1883' })).toContain('must differ')
  expect(refusal({ WAYSIDE_HTTP_PORT: '0', WAYSIDE_MQTT_PORT: '0' })).toBeUndefined()
})

const CERTIFICATE = { WAYSIDE_TLS_CERT: '/etc/wayside/cert.pem', WAYSIDE_TLS_KEY: '/etc/wayside/key.pem' }

test.each(['0.0.0.0', '::', '192.0.2.7', 'wayside.example'])(
  'plain text on %s is refused unless it is asked for by name, and the sentence says how',
  (WAYSIDE_BIND) => {
    expect(refusal({ WAYSIDE_BIND })).toBe(
      `WAYSIDE_BIND is ${WAYSIDE_BIND}, where passwords and keys would cross the network in plain text: set WAYSIDE_TLS_CERT and WAYSIDE_TLS_KEY, or, where something in front speaks TLS, WAYSIDE_PLAINTEXT=http,mqtt.`,
    )
    expect(refusal({ WAYSIDE_BIND, WAYSIDE_PLAINTEXT: 'http' })).toBeUndefined()
    expect(refusal({ WAYSIDE_BIND, ...CERTIFICATE })).toBeUndefined()
  },
)

test.each(['127.0.0.1', '::1', 'localhost', '127.0.0.9'])('plain text on %s needs nothing else', (WAYSIDE_BIND) => {
  expect(refusal({ WAYSIDE_BIND })).toBeUndefined()
})

test('a certificate needs its key, and a port of TLS no other', () => {
  expect(refusal({ WAYSIDE_TLS_CERT: 'cert.pem' })).toBe(
    'WAYSIDE_TLS_CERT and WAYSIDE_TLS_KEY need each other: set both, or neither.',
  )
  expect(refusal({ WAYSIDE_TLS_KEY: 'key.pem' })).toContain('need each other')
  expect(refusal({ ...CERTIFICATE, WAYSIDE_HTTPS_PORT: '1883' })).toBe(
    'WAYSIDE_MQTT_PORT and WAYSIDE_HTTPS_PORT must differ, but both are 1883.',
  )
  expect(refusal({ WAYSIDE_HTTPS_PORT: '1883' })).toBeUndefined()
})

test('the PROXY protocol cannot be wanted on a port that is not open', () => {
  const env = { WAYSIDE_TRUSTED_PROXIES: '10.0.0.1', WAYSIDE_PROXY_PROTOCOL: 'http,mqtts' }
  expect(refusal(env)).toBe('WAYSIDE_PROXY_PROTOCOL names mqtts, which is not open without WAYSIDE_TLS_CERT.')
  expect(refusal({ ...env, ...CERTIFICATE })).toBeUndefined()
})

test('the list of settings shows values but no secret', () => {
  const listed = listSettings({
    WAYSIDE_HTTP_PORT: '9000',
    WAYSIDE_ADMIN_PASSWORD: 'canary-1',
    WAYSIDE_SMTP_URL: 'smtp://me:canary-2@host',
    DATABASE_URL: 'postgres://me:canary-3@host/db',
    DATABASE_OWNER_URL: 'postgres://me:canary-4@host/db',
  })
  expect(listed.find(({ name }) => name === 'WAYSIDE_HTTP_PORT')?.present).toBe('9000')
  expect(listed.filter(({ present }) => present === '(set, not shown)')).toHaveLength(4)
  expect(JSON.stringify(listed)).not.toContain('canary')
})

const USABLE = {
  DATABASE_URL: 'postgres://me:canary@host/db',
  DATABASE_OWNER_URL: 'postgres://owner:canary@host/db',
  WAYSIDE_ADMIN_PASSWORD: 'lantern gravel under tuba pier',
  WAYSIDE_SMTP_URL: 'smtp://me:canary@host',
  WAYSIDE_METRICS_TOKEN: 'canary-canary-canary-canary-canary',
  WAYSIDE_OTLP_URL: 'http://me:canary@host:4318',
  WAYSIDE_OTLP_TOKEN: 'canary-canary-canary',
  WAYSIDE_BACKUP_KEY: 'a7'.repeat(32),
  WAYSIDE_SECRETS_KEY: 'b7'.repeat(32),
  WAYSIDE_SECRETS_OLD_KEY: 'c7'.repeat(32),
}
const secrets = listSettings({}).filter(({ secret }) => secret)

test('every secret may stand in a file of its own instead, whose end of line does not count', () => {
  expect(secrets.map(({ name }) => name).sort()).toEqual(Object.keys(USABLE).sort())
  const byFile = Object.fromEntries(
    Object.entries(USABLE).map(([name, text]) => [`${name}_FILE`, fileOf(`${text}\r\n`)]),
  )
  expect(readConfig(byFile)).toEqual(readConfig(USABLE))
  expect(unknownSettings(byFile)).toEqual([])
  const listed = listSettings(byFile).find(({ name }) => name === 'WAYSIDE_BACKUP_KEY')
  expect(listed?.present).toBe(`(in ${byFile.WAYSIDE_BACKUP_KEY_FILE}, not shown)`)
})

test('what is called password, token, secret or key, or holds one in its address, is a secret', () => {
  // Public keys are no secret, and the TLS key is a file already.
  const others = ['WAYSIDE_RELEASE_KEYS', 'WAYSIDE_TLS_KEY']
  const named = listSettings({}).filter(({ name }) => /PASSWORD|TOKEN|SECRET|KEY|DATABASE|SMTP/.test(name))
  expect(named.filter(({ secret, name }) => !secret && !others.includes(name))).toEqual([])
})

test.each(secrets)(
  '$name and its file together are refused, and a file that cannot be used by its name',
  ({ name }) => {
    const setting = `${name}_FILE`
    expect(refusal({ [name]: 'canary', [setting]: fileOf('canary') })).toBe(`Set ${name} or ${setting}, not both.`)
    expect(refusal({ [setting]: '/nowhere/secret' })).toBe(
      `${setting} names /nowhere/secret, which cannot be read: there is no such file.`,
    )
    expect(refusal({ [setting]: folder })).toBe(`${setting} names ${folder}, which cannot be read: it is a folder.`)
    const [empty, two, wrong] = [fileOf('\n'), fileOf('canary\ncanary'), fileOf('ftp:canary é')]
    expect(refusal({ [setting]: empty })).toBe(`${setting} names ${empty}, which is empty.`)
    expect(refusal({ [setting]: two })).toBe(`${setting} names ${two}, which holds more than one line.`)
    const refused = refusal({ [setting]: wrong })
    expect(refused).toMatch(new RegExp(`^${setting} `))
    expect(refused).not.toContain('canary')
  },
)

test('a misspelt setting is named', () => {
  expect(unknownSettings({ WAYSIDE_HTTPPORT: '1', WAYSIDE_HTTP_PORT: '1', PATH: '/bin' })).toEqual(['WAYSIDE_HTTPPORT'])
})

test('secrets leave the environment once they are read, so that no program that is started has them', () => {
  const program = `
    import { spawnSync } from 'node:child_process'
    import { takeConfig } from ${JSON.stringify(new URL('./config.ts', import.meta.url).href)}
    const config = takeConfig()
    const started = spawnSync(process.execPath, ['-p', 'JSON.stringify(process.env)'], { encoding: 'utf8' }).stdout
    console.log(JSON.stringify({ has: config.adminPassword, own: JSON.stringify(process.env), started }))`
  const canary = 'a canary under gravel and tubas'
  const env = {
    PATH: process.env.PATH,
    WAYSIDE_ADMIN_PASSWORD: canary,
    WAYSIDE_METRICS_TOKEN: `${'canary-'.repeat(5)}0`,
  }
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', env })
  const said = JSON.parse(stdout)
  expect(said.has).toBe(canary)
  expect(said.started).toContain('PATH')
  expect(`${said.own}${said.started}`).not.toContain('canary')
})
