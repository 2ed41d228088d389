import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { partsOf, type Statement, statementsIn } from '#server/db/upgrade/sqlStatements.ts'
import { neededBy } from '#server/db/upgrade/versions.ts'
import { listFiles } from './project.ts'
import type { ArchitectureRule, Offence } from './rule.ts'

const FILE = /^server\/db\/migrations\/(\d{4})_\w+\.sql$/
/** Migrations up to this one landed before the rule, and are never edited. */
const LAST_UNDECLARED = 20
const DECLARED = /^-- (?:(expand)|contract of (\d{4})): \S/

interface Migration {
  readonly path: string
  readonly number: number
  readonly statements: readonly Statement[]
  readonly isExpand: boolean
  readonly contracts: number | undefined
}

export const migrationRule: ArchitectureRule = {
  name: 'migrations-expand-or-contract',
  why: 'the version before runs beside a new schema: what a migration adds is "-- expand: …" in its first line, and what it takes away comes later, as "-- contract of NNNN: …"',
  offences: ({ root }) => {
    const migrations = listFiles(root)
      .filter((path) => FILE.test(path))
      .map((path) => readMigration(path, readFileSync(join(root, path), 'utf8')))
    return migrations.filter(({ number }) => number > LAST_UNDECLARED).flatMap((each) => judge(each, migrations))
  },
}

function readMigration(path: string, sql: string): Migration {
  const [, isExpand, contracts] = DECLARED.exec(sql) ?? []
  return {
    path,
    number: Number(FILE.exec(path)?.[1]),
    statements: statementsIn(sql),
    isExpand: isExpand !== undefined,
    contracts: contracts === undefined ? undefined : Number(contracts),
  }
}

function judge(migration: Migration, all: readonly Migration[]): readonly Offence[] {
  const { path, number, statements, isExpand, contracts } = migration
  const at = (line: number, what: string): Offence => ({ path, line, what })
  if (isExpand) {
    const changes = changesIn(statements)
    return statements.flatMap(({ text, line }) => takenAwayBy(text, changes).map((what) => at(line, what)))
  }
  if (contracts === undefined) return [at(1, 'says neither expand nor contract')]
  const ended = all.find((other) => other.number === contracts)
  const isEarlier = contracts < number && (ended?.isExpand || (ended !== undefined && contracts <= LAST_UNDECLARED))
  const isReleased = !isEarlier || contracts <= neededBy(number)
  return [
    ...(isEarlier ? [] : [at(1, `brings ${contracts} to its end, which is no earlier expanding migration`)]),
    ...(isReleased ? [] : [at(1, `brings ${contracts} to its end, without which the version before cannot do yet`)]),
    ...statements
      .filter(({ text }) => /^create (unlogged )?table\b/.test(text) || actionsOf(text).some(addsColumn))
      .map(({ line }) => at(line, 'adds something, which belongs into a migration of its own')),
  ]
}

/** Changes of one file: replacing something takes nothing away. */
interface Changes {
  readonly madeTables: ReadonlySet<string>
  readonly made: ReadonlySet<string>
  readonly dropped: ReadonlySet<string>
}

const TABLE_ACTIONS = /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/

const actionsOf = (statement: string): readonly string[] => {
  const [, , actions] = TABLE_ACTIONS.exec(statement) ?? []
  return actions === undefined ? [] : partsOf(actions)
}

function changesIn(statements: readonly Statement[]): Changes {
  const texts = statements.map(({ text }) => text)
  const actions = texts.flatMap((text) => actionsOf(text).map((action) => withKeyName(tableOf(text), action)))
  const names = (pattern: RegExp, among: readonly string[]) =>
    among.map((text) => pattern.exec(text)?.[1]).filter((name) => name !== undefined)
  return {
    madeTables: new Set(names(/^create (?:unlogged )?table (?:if not exists )?(\w+)/, texts)),
    made: new Set([
      ...names(/^create (?:or replace )?(?:constraint )?trigger (\w+)/, texts),
      ...names(/^add constraint (\w+)/, actions),
    ]),
    dropped: new Set(names(/^drop constraint (?:if exists )?(\w+)/, actions)),
  }
}

const tableOf = (statement: string) => TABLE_ACTIONS.exec(statement)?.[1] ?? ''

/** PostgreSQL gives an unnamed primary key this name. */
const withKeyName = (table: string, action: string) =>
  action.replace(/^add primary key/, `add constraint ${table}_pkey primary key`)

/** Finds what the version before would miss, or be refused. */
function takenAwayBy(statement: string, changes: Changes): readonly string[] {
  const table = tableOf(statement)
  if (changes.madeTables.has(table)) return []
  if (table !== '') {
    return actionsOf(statement).flatMap((action) => offenceOf(withKeyName(table, action), changes) ?? [])
  }
  const [, trigger] = /^drop trigger (?:if exists )?(\w+)/.exec(statement) ?? []
  if (trigger !== undefined && changes.made.has(trigger)) return []
  if (/^drop (?!index\b)/.test(statement)) return ['drops something']
  if (/^(truncate|revoke)\b/.test(statement) || /\bdelete from\b/.test(statement)) return ['takes rows or rights away']
  if (/^alter .*\brename\b/.test(statement)) return ['renames something']
  const [, indexed] = /^create unique index .*? on (?:only )?(\w+)/.exec(statement) ?? []
  if (indexed !== undefined && !changes.madeTables.has(indexed)) return ['forbids rows that may be alike so far']
  return /^do\b/.test(statement) && /\b(alter|drop)\b/.test(statement) ? ['alters something within a block'] : []
}

const WIDE = /^(text|bigint|double precision|numeric|jsonb|timestamptz)\b/
const addsColumn = (action: string) =>
  /^add (?!constraint\b|check\b|unique\b|foreign\b|primary\b|exclude\b)/.test(action)

function offenceOf(action: string, { made, dropped }: Changes): string | undefined {
  if (/^rename\b/.test(action)) return 'renames something'
  const [, constraint] = /^drop constraint (?:if exists )?(\w+)/.exec(action) ?? []
  if (/^drop\b/.test(action)) return made.has(constraint ?? '') ? undefined : 'drops something'
  if (/^alter .*\bset not null\b/.test(action)) return 'forbids null where the version before may write it'
  if (/^alter .*\bdrop default\b/.test(action)) return 'drops a default on which the version before may rely'
  const [, type] = /^alter (?:column )?\w+ (?:set data )?type (.*)$/.exec(action) ?? []
  if (type !== undefined && !WIDE.test(type)) return `may narrow a type to ${type}`
  if (addsColumn(action) && /\bnot null\b/.test(action) && !/\b(default|generated)\b/.test(action)) {
    return 'adds a column that the version before does not fill'
  }
  const [, added] = /^add constraint (\w+)/.exec(action) ?? []
  const isConstraint = /^add (constraint|check|unique|foreign|exclude)\b/.test(action)
  return isConstraint && !dropped.has(added ?? '') ? 'adds a constraint that the version before may offend' : undefined
}
