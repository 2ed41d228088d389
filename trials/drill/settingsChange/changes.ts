import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listSettings } from '#server/settings/config.ts'

export type Settings = Readonly<Record<string, string | undefined>>

/** One start with a mistake in its settings. */
export interface Change {
  readonly setting: string
  /** Words for the table and for `--only`. */
  readonly what: string
  /** The difference from the right settings; `undefined` leaves one out. */
  readonly differs: Settings
  /** The output or health must say this. Without it the start may serve and say nothing. */
  readonly says?: RegExp
  /** No start may serve with it. */
  readonly isRefused?: true
  /** Backups have a gap from then on, which must be reported. */
  readonly tearsGap?: true
}

interface Environment {
  readonly right: Settings
  /** Files that settings name lie here. */
  readonly folder: string
  /** Another database on the same server. */
  readonly otherDatabaseUrl: string
}

const UNUSABLE = 'not usable at all'

/** Lists every setting left out, given twice, lost with its file and filled with nonsense; and known dangers. */
export function changesOf(environment: Environment): readonly Change[] {
  const { right, folder } = environment
  const aFile = join(folder, 'a-file')
  writeFileSync(aFile, 'nothing\n')
  const generic = listSettings({}).flatMap(({ name, fileName }): Change[] => [
    ...(right[name] === undefined ? [] : [{ setting: name, what: 'missing', differs: { [name]: undefined } }]),
    { setting: name, what: 'nonsense', differs: { [name]: UNUSABLE } },
    ...(fileName === undefined ? [] : ofItsFile(name, fileName, right[name] ?? UNUSABLE, folder)),
  ])
  return [...generic.filter((change) => !isReplaced(change)), ...dangerous(environment, aFile)]
}

function ofItsFile(setting: string, fileName: string, value: string, folder: string): Change[] {
  const file = join(folder, fileName)
  writeFileSync(file, `${value}\n`)
  const says = new RegExp(`\\b${fileName}\\b`)
  return [
    { setting, what: 'twice', differs: { [setting]: value, [fileName]: file }, says, isRefused: true },
    {
      ...{ setting, what: 'its file is gone', says, isRefused: true },
      differs: { [setting]: undefined, [fileName]: `${file}-gone` },
    },
  ]
}

/** Changes below say more about these; nonsense as a folder of backups is another folder. */
const isReplaced = ({ setting, what }: Change) =>
  setting === 'WAYSIDE_BACKUP_FOLDER' ||
  (what === 'missing' && /^(DATABASE_URL|DATABASE_OWNER_URL|WAYSIDE_BACKUP_KEY|WAYSIDE_SECRETS_KEY)$/.test(setting))

function dangerous({ right, folder, otherDatabaseUrl }: Environment, aFile: string): Change[] {
  return [
    ...wrongDatabases(right, otherDatabaseUrl),
    {
      ...{ setting: 'WAYSIDE_DATA', what: 'below a file', differs: { WAYSIDE_DATA: join(aFile, 'data') } },
      ...{ says: /^WAYSIDE_DATA: the folder .*\.$/m, isRefused: true },
    },
    { setting: 'WAYSIDE_DATA', what: 'another folder', differs: { WAYSIDE_DATA: join(folder, 'other-data') } },
    {
      ...{ setting: 'WAYSIDE_BACKUP_FOLDER', what: 'missing', differs: { WAYSIDE_BACKUP_FOLDER: undefined } },
      // The job that would end it says so in its log.
      says: /WAYSIDE_BACKUP_FOLDER is not set: the database holds its log/,
    },
    {
      setting: 'WAYSIDE_BACKUP_FOLDER',
      what: 'below a file',
      differs: { WAYSIDE_BACKUP_FOLDER: join(aFile, 'backups') },
      says: /folder of backups \(WAYSIDE_BACKUP_FOLDER\) cannot be read and written/,
    },
    {
      ...{ setting: 'WAYSIDE_BACKUP_KEY', what: 'missing', differs: { WAYSIDE_BACKUP_KEY: undefined } },
      says: /no WAYSIDE_BACKUP_KEY/,
    },
    {
      ...{ setting: 'WAYSIDE_SECRETS_KEY', what: 'missing', differs: { WAYSIDE_SECRETS_KEY: undefined } },
      says: /The key of kept secrets is not in .*secrets\.key/,
    },
    {
      ...{ setting: 'WAYSIDE_SECRETS_KEY', what: 'another key', differs: { WAYSIDE_SECRETS_KEY: '5b'.repeat(32) } },
      says: /The key of kept secrets is not in WAYSIDE_SECRETS_KEY/,
    },
    {
      ...{ setting: 'WAYSIDE_BACKUP_FOLDER', what: 'another folder' },
      ...{ differs: { WAYSIDE_BACKUP_FOLDER: join(folder, 'other-backups') }, tearsGap: true },
    },
  ]
}

function wrongDatabases(right: Settings, otherDatabaseUrl: string): Change[] {
  const database = (change: (url: URL) => void) => {
    const url = new URL(right['DATABASE_URL'] ?? '')
    change(url)
    return url.href
  }
  const ofDatabase = (what: string, url: string): Change => ({
    ...{ setting: 'DATABASE_URL', what, differs: { DATABASE_URL: url }, isRefused: true },
    says: /^DATABASE_URL\b.*\.$/m,
  })
  return [
    ofDatabase('a host that is none', 'postgres://wayside_app:secret@no-such-host.invalid/wayside'),
    ofDatabase('a port where nobody listens', 'postgres://wayside_app:secret@127.0.0.1:9/wayside'),
    ofDatabase(
      'a database that is none',
      database((url) => {
        url.pathname = '/nowhere'
      }),
    ),
    ofDatabase(
      'a role that is none',
      database((url) => {
        url.username = 'nobody_here'
      }),
    ),
    ofDatabase('another database than the owner', otherDatabaseUrl),
    {
      ...{ setting: 'DATABASE_URL', what: 'missing, with its owner', differs: { DATABASE_URL: undefined } },
      ...{ says: /^DATABASE_OWNER_URL needs DATABASE_URL/m, isRefused: true },
    },
    {
      ...{ setting: 'DATABASE_URL', what: 'missing, both' },
      differs: { DATABASE_URL: undefined, DATABASE_OWNER_URL: undefined },
      says: /new database in .*DATABASE_URL is not set/,
    },
    {
      ...{ setting: 'DATABASE_OWNER_URL', what: 'missing', differs: { DATABASE_OWNER_URL: undefined } },
      ...{ says: /^DATABASE_URL signs in .*: set DATABASE_OWNER_URL/m, isRefused: true },
    },
  ]
}
