import { DEVICE_ANSWER_SECONDS } from '#contract/errors.ts'
import { NETWORK_SETTINGS, refuseContradictions } from './networkSettings.ts'
import { RETENTION_SETTINGS } from './retentionSettings.ts'
import { type Setting, secret, setting } from './setting.ts'
import {
  ConfigError,
  choice,
  folder,
  hexKey,
  logLevel,
  mailAddress,
  mailAddresses,
  mapFile,
  password,
  ROLES,
  releaseKeys,
  roles,
  textOfFile,
  tileAddress,
  token,
  url,
  webAddress,
  wholeNumber,
} from './settingValues.ts'

export { ConfigError } from './settingValues.ts'

/** Every setting of the server is documented here and in the two files beside it alone; `npm run config` lists it. */
const SETTINGS = {
  ...NETWORK_SETTINGS,
  roles: setting(
    'WAYSIDE_ROLES',
    'api, gateway and jobs',
    roles,
    'What this process does of all: api (console and calls), gateway (devices), jobs (what the clock starts).',
  ),
  dataFolder: setting(
    'WAYSIDE_DATA',
    './data',
    folder,
    'Folder for everything that is kept: the embedded database, mails not sent by SMTP, releases.',
  ),
  databaseUrl: secret(
    setting(
      'DATABASE_URL',
      'embedded PostgreSQL',
      url('postgres', 'postgresql'),
      'PostgreSQL 15 or newer to use instead of the embedded one, as the role of the application.',
    ),
  ),
  databaseOwnerUrl: secret(
    setting(
      'DATABASE_OWNER_URL',
      'same as DATABASE_URL',
      url('postgres', 'postgresql'),
      'The same database as the role that owns the tables: migrations, partitions, retention.',
    ),
  ),
  demoDevices: setting(
    'WAYSIDE_DEMO_DEVICES',
    '47',
    wholeNumber(0, 10_000, 47),
    'Number of pretend devices that the demo runs (0: none).',
  ),
  demoAlertDays: setting(
    'WAYSIDE_DEMO_ALERT_DAYS',
    '365',
    wholeNumber(0, 1000, 365),
    'Days of past alerts that the demo begins with (0: neither alerts nor conditions).',
  ),
  demoPastDays: setting(
    'WAYSIDE_DEMO_PAST_DAYS',
    '31',
    wholeNumber(0, 90, 31),
    'Days of past readings that pretend devices tell when they connect first (0: none).',
  ),
  demoPastPerSecond: setting(
    'WAYSIDE_DEMO_PAST_PER_SECOND',
    '2000',
    wholeNumber(1, 100_000, 2000),
    'Reports of that past a second, at most; more of them leave less of the machine to everybody else.',
  ),
  adminPassword: secret(
    setting(
      'WAYSIDE_ADMIN_PASSWORD',
      'generated and printed once',
      password,
      'Password of the first administrator, 15 to 128 characters; it counts on the first start only.',
    ),
  ),
  secretsKey: secret(
    setting(
      'WAYSIDE_SECRETS_KEY',
      'secrets.key in the data folder, made at the first start',
      hexKey,
      'Key that encrypts kept secrets in the database, 64 hexadecimal digits; the same one for all processes.',
    ),
  ),
  secretsOldKey: secret(
    setting(
      'WAYSIDE_SECRETS_OLD_KEY',
      'none',
      hexKey,
      'Another such key that still decrypts, while WAYSIDE_SECRETS_KEY takes its place.',
    ),
  ),
  labUsers: setting(
    'WAYSIDE_LAB_USERS',
    'nobody',
    mailAddresses,
    'E-mail addresses of lab users, with commas between them; they may export raw data and messages.',
  ),
  internalUsers: setting(
    'WAYSIDE_INTERNAL_USERS',
    'nobody',
    mailAddresses,
    'E-mail addresses of internal users, with commas between them; they see the status of the hourly roll-up.',
  ),
  sessionIdleHours: setting(
    'WAYSIDE_SESSION_IDLE_HOURS',
    '12',
    wholeNumber(1, 720, 12),
    'Hours without use after which a session ends.',
  ),
  sessionLongestHours: setting(
    'WAYSIDE_SESSION_LONGEST_HOURS',
    '168',
    wholeNumber(1, 2160, 168),
    'Hours after signing in at which a session ends, used or not.',
  ),
  supportUrl: setting(
    'WAYSIDE_SUPPORT_URL',
    'no link; an example in the demo',
    url('http', 'https'),
    'Web page that the Overview opens for operators who need help.',
  ),
  tileUrl: setting(
    'WAYSIDE_TILE_URL',
    'the built-in outline map',
    tileAddress,
    'Address pattern of a map tile server, with {z}, {x} and {y}; {s} stands for a, b or c.',
  ),
  tileAttribution: setting(
    'WAYSIDE_TILE_ATTRIBUTION',
    'none',
    (text) => text ?? '',
    'Whom maps name for their tiles, as plain text, as in "© OpenStreetMap contributors".',
  ),
  mapTiles: setting(
    'WAYSIDE_MAP_TILES',
    'the built-in outline map',
    mapFile,
    'PMTiles file of a Protomaps extract, from which maps draw roads, rivers, rail and built-up land.',
  ),
  smtpUrl: secret(
    setting(
      'WAYSIDE_SMTP_URL',
      'mails are written to a folder',
      url('smtp', 'smtps'),
      'Mail server that sends alert mails and links, as smtp://user:password@host:port.',
    ),
  ),
  mailFrom: setting(
    'WAYSIDE_MAIL_FROM',
    'wayside@ the host of the public address',
    mailAddress,
    'E-mail address from which mails come.',
  ),
  releaseKeys: setting(
    'WAYSIDE_RELEASE_KEYS',
    'release-key.pub in the data folder',
    releaseKeys,
    'Public keys by which releases of the client are known, with commas between them; beside the one in the data folder.',
  ),
  logLevel: setting(
    'WAYSIDE_LOG_LEVEL',
    'info; warn in the demo',
    logLevel,
    'The least that is logged: error, warn, info or debug. Repeats are one line with a count, except with debug.',
  ),
  apiDocs: setting(
    'WAYSIDE_API_DOCS',
    'public in the demo, else off',
    choice('public', 'off'),
    'Whether /api/docs describes every call to whoever opens it, signed in or not: public or off.',
  ),
  metricsToken: secret(
    setting(
      'WAYSIDE_METRICS_TOKEN',
      'nobody may read /metrics',
      token(32),
      'Token by which /metrics is read, as "Authorization: Bearer TOKEN"; at least 32 characters.',
    ),
  ),
  metricsPort: setting(
    'WAYSIDE_METRICS_PORT',
    'none: /metrics is on the port of the console, with its token',
    (text) => (text === undefined ? undefined : wholeNumber(0, 65_535, 0)(text)),
    'Port of its own for /metrics and health, on the address of WAYSIDE_BIND; /metrics needs no token there unless one is set.',
  ),
  otlpUrl: secret(
    setting(
      'WAYSIDE_OTLP_URL',
      'no traces are told',
      webAddress,
      'Address of a collector that takes traces by OTLP over HTTP, without /v1/traces, such as http://127.0.0.1:4318.',
    ),
  ),
  otlpToken: secret(
    setting(
      'WAYSIDE_OTLP_TOKEN',
      'none',
      token(16),
      'Token that the collector asks for, sent as "Authorization: Bearer TOKEN"; at least 16 characters.',
    ),
  ),
  tracedPercent: setting(
    'WAYSIDE_TRACED_PERCENT',
    '100',
    wholeNumber(0, 100, 100),
    'How many of a hundred calls, batches and jobs are traced, where there is a collector.',
  ),
  backupFolder: setting(
    'WAYSIDE_BACKUP_FOLDER',
    'no backups are taken by themselves',
    (text) => (text === undefined ? undefined : folder(text)),
    'Folder for backups, on another disk than the database; every server that shares the database needs to reach it.',
  ),
  backupKey: secret(
    setting(
      'WAYSIDE_BACKUP_KEY',
      'backups are not encrypted',
      hexKey,
      'Key by which backups are encrypted, 64 hexadecimal digits; without it they cannot be restored.',
    ),
  ),
  backupEveryHours: setting(
    'WAYSIDE_BACKUP_EVERY_HOURS',
    '24',
    wholeNumber(1, 168, 24),
    'Hours from one whole copy to the next; what happens between them is kept all the time.',
  ),
  backupKeepDays: setting(
    'WAYSIDE_BACKUP_KEEP_DAYS',
    '14',
    wholeNumber(1, 3650, 14),
    'Days back to which every moment can be restored; older copies go once they are not needed for that.',
  ),
  ...RETENTION_SETTINGS,
  deviceAnswerSeconds: setting(
    'WAYSIDE_DEVICE_ANSWER_SECONDS',
    String(DEVICE_ANSWER_SECONDS),
    wholeNumber(2, 25, DEVICE_ANSWER_SECONDS),
    'Seconds in which a device answers a command or an applied setting before operators are told that it has not.',
  ),
  deviceMessagesPerSecond: setting(
    'WAYSIDE_DEVICE_MESSAGES_PER_SECOND',
    '20; no limit in the demo, whose devices tell weeks of their past',
    (text) => (text === undefined ? undefined : wholeNumber(0, 1_000_000, 0)(text)),
    'Reports a second that one device may send before its acknowledgements are delayed (0: no limit).',
  ),
}

type Settings = typeof SETTINGS

/** The settings of this process; absent optional ones are `undefined`. */
export type Config = Readonly<{ [Key in keyof Settings]: ReturnType<Settings[Key]['read']> }>

export type Environment = Readonly<Record<string, string | undefined>>

/** An empty variable counts as absent, because compose files and unit files leave a setting out that way. */
const textOf = (env: Environment, name: string) => {
  const text = env[name]?.trim()
  return text === '' ? undefined : text
}

function readSetting<Value>({ name, fileName, read }: Setting<Value>, env: Environment): Value {
  const text = textOf(env, name)
  const file = fileName === undefined ? undefined : textOf(env, fileName)
  if (text !== undefined && file !== undefined) throw new ConfigError(`Set ${name} or ${fileName}, not both.`)
  try {
    return read(file === undefined ? text : textOfFile(file))
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`${file === undefined ? name : fileName} ${error.message}.`)
    throw error
  }
}

/** Reads and checks every setting; throws `ConfigError` for the first one that cannot be used. */
export function readConfig(env: Environment = process.env): Config {
  const values = Object.entries(SETTINGS).map(([key, described]) => [key, readSetting<unknown>(described, env)])
  const config: Config = Object.freeze(Object.fromEntries(values))
  if (config.databaseOwnerUrl !== undefined && config.databaseUrl === undefined) {
    throw new ConfigError('DATABASE_OWNER_URL needs DATABASE_URL, because the embedded database has its own owner.')
  }
  if (config.secretsOldKey !== undefined && config.secretsKey === undefined) {
    throw new ConfigError('WAYSIDE_SECRETS_OLD_KEY needs WAYSIDE_SECRETS_KEY, which takes its place.')
  }
  if (config.mapTiles !== undefined && config.tileUrl !== undefined) {
    throw new ConfigError('Set WAYSIDE_MAP_TILES or WAYSIDE_TILE_URL, not both.')
  }
  refuseContradictions(config)
  refuseLonelyRoles(config)
  return config
}

/** A process with some of the roles must know where the others are. */
function refuseLonelyRoles({ roles, databaseUrl, publicUrl, mqttUrl }: Config): void {
  if (roles.length === ROLES.length) return
  if (databaseUrl === undefined) {
    throw new ConfigError('WAYSIDE_ROLES needs DATABASE_URL: other processes do the rest on the same database.')
  }
  if (publicUrl === undefined) {
    throw new ConfigError('WAYSIDE_ROLES needs WAYSIDE_PUBLIC_URL: the console may be at another process.')
  }
  if (roles.includes('api') && !roles.includes('gateway') && mqttUrl === undefined) {
    throw new ConfigError('WAYSIDE_ROLES without gateway needs WAYSIDE_MQTT_URL: where devices connect instead.')
  }
}

/** Reads the settings and removes secrets from the environment, so that no child process sees them. */
export function takeConfig(): Config {
  const config = readConfig()
  for (const { name, secret } of Object.values(SETTINGS)) if (secret) delete process.env[name]
  return config
}

export interface ListedSetting extends Setting<unknown> {
  readonly present: string
}

/** Lists every setting in words, with secrets masked; a value that cannot be used is listed too. */
export function listSettings(env: Environment = process.env): readonly ListedSetting[] {
  const presentOf = ({ name, secret, fileName }: Setting<unknown>) => {
    const text = textOf(env, name)
    if (text !== undefined) return secret ? '(set, not shown)' : text
    const file = fileName === undefined ? undefined : textOf(env, fileName)
    return file === undefined ? '' : `(in ${file}, not shown)`
  }
  return Object.values<Setting<unknown>>(SETTINGS).map((each) => ({ ...each, present: presentOf(each) }))
}

/** Finds variables with our prefix that are no setting, most likely misspelt. */
export function unknownSettings(env: Environment = process.env): readonly string[] {
  const known = new Set(Object.values(SETTINGS).flatMap(({ name, fileName }) => [name, fileName]))
  return Object.keys(env).filter((name) => name.startsWith('WAYSIDE_') && !known.has(name))
}
