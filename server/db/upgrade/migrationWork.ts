import { partsOf, statementsIn } from './sqlStatements.ts'

/**
 * Says what a statement does with an existing table: `reads` all of it while nobody writes to it, `rewrites` it while
 * nobody reads it either, `changes` its rows, which stay readable, or `copies` from it into another.
 */
export type WorkKind = 'reads' | 'rewrites' | 'changes' | 'copies'

export interface TableWork {
  readonly table: string
  readonly kind: WorkKind
}

/** Adding one of these to a table computes a value for each of its rows. */
const COMPUTED_FOR_EACH_ROW =
  /\bstored\b|\b(gen_random_uuid|random|nextval|clock_timestamp)\(|\b(big|small)?serial\b|\bas identity\b/
const ADDS_COLUMN = /^add (?!constraint\b|check\b|unique\b|foreign\b|primary\b|exclude\b)/
const ADDS_CONSTRAINT = /^add (constraint|check|unique|foreign|primary|exclude)\b/

/**
 * Finds the work of a migration that takes longer the more rows there are; all else changes the catalogue alone. Tables
 * that it makes itself are empty, and the bodies of functions run later.
 */
export function workOf(sql: string): readonly TableWork[] {
  const texts = statementsIn(sql).map(({ text }) => text)
  const made = new Set(texts.map((text) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(text)?.[1]))
  const works = new Map<string, TableWork>()
  for (const text of texts) {
    for (const work of [...indexesIn(text), ...alterationsIn(text), ...changedRowsIn(text)]) {
      if (!made.has(work.table)) works.set(`${work.kind} ${work.table}`, work)
    }
  }
  return [...works.values()]
}

const indexesIn = (text: string): readonly TableWork[] =>
  namesIn(text, /\bcreate (?:unique )?index .*?\bon (?:only )?(\w+)/g).map((table) => ({ table, kind: 'reads' }))

function alterationsIn(text: string): readonly TableWork[] {
  return [...text.matchAll(/\balter table (?:if exists )?(?:only )?(\w+) ([^;]*)/g)].flatMap(
    ([, table = '', actions = '']) =>
      partsOf(actions).flatMap((action): TableWork[] => {
        const kind = kindOfAction(action)
        return kind === undefined ? [] : [{ table, kind }]
      }),
  )
}

function kindOfAction(action: string): WorkKind | undefined {
  if (/^alter (?:column )?\w+ (?:set data )?type\b/.test(action)) return 'rewrites'
  if (ADDS_COLUMN.test(action)) return COMPUTED_FOR_EACH_ROW.test(action) ? 'rewrites' : undefined
  if (ADDS_CONSTRAINT.test(action)) return /\bnot valid\b/.test(action) ? undefined : 'reads'
  return /^validate constraint\b|\bset not null\b/.test(action) ? 'reads' : undefined
}

function changedRowsIn(text: string): readonly TableWork[] {
  const changed = [
    ...namesIn(text, /\bupdate (?:only )?(?!set\b)(\w+)(?: (?:as )?(?!set\b)\w+)? set\b/g),
    ...namesIn(text, /\bdelete from (?:only )?(\w+)/g),
  ]
  const copied = namesIn(text, /\binsert into \w+.*? from (\w+)/g)
  return [
    ...changed.map((table): TableWork => ({ table, kind: 'changes' })),
    ...copied.map((table): TableWork => ({ table, kind: 'copies' })),
  ]
}

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])
