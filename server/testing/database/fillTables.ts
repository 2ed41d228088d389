import type pg from 'pg'

interface Column {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  /** The default is a list; needed for columns that hold JSON. */
  readonly isList: boolean
}

interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** Maps columns to the table and column that they reference. */
  readonly references: Readonly<Record<string, { readonly table: string; readonly column: string }>>
  /** Says for each check, by its name, which columns and words it has. */
  readonly checks: Readonly<Record<string, { readonly columns: readonly string[]; readonly words: readonly string[] }>>
}

const MOST_TRIES = 400

/**
 * Inserts a row into every table, whatever its columns are; different in each round. Values follow types, references
 * and checks. Partitioned tables need a partition for `day`.
 *
 * @param known the tables as they were read before: what is new in them gets its default
 * @throws with the name of the table that accepted no row
 */
export async function fillTables(
  db: pg.ClientBase,
  round: number,
  day: Date,
  known?: readonly Table[],
): Promise<readonly string[]> {
  const tables = inOrder(known ?? (await readTables(db)))
  for (const table of tables) await fill(db, table, round, day)
  return tables.map(({ name }) => name)
}

export async function readTables(db: pg.ClientBase): Promise<readonly Table[]> {
  const { rows } = await db.query<Table>(TABLES_SQL)
  return rows
}

/** Sorts referenced tables first; a table that references itself does so with null. */
function inOrder(tables: readonly Table[]): readonly Table[] {
  const ordered: Table[] = []
  const add = (table: Table, above: readonly string[]) => {
    if (ordered.includes(table) || above.includes(table.name)) return
    for (const { table: name } of Object.values(table.references)) {
      const target = tables.find((each) => each.name === name)
      if (target !== undefined) add(target, [...above, table.name])
    }
    ordered.push(table)
  }
  for (const table of tables) add(table, [])
  return ordered
}

type Value = string | null

async function fill(db: pg.ClientBase, table: Table, round: number, day: Date): Promise<void> {
  const { name, columns, checks } = table
  const values = new Map<string, Value>()
  for (const column of columns) values.set(column.name, await fillingOf(db, table, column, round, day))
  let problem: unknown
  // The possible values of columns in violated checks are counted through like digits.
  const digits = new Map<string, { readonly choices: readonly Value[]; at: number }>()
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    for (const [column, { choices, at }] of digits) values.set(column, choices[at] ?? null)
    problem = await tryRow(db, name, columns, values)
    if (problem === undefined) return
    const { code, constraint = '' } = problem as { code?: string; constraint?: string }
    if (code !== '23514' || checks[constraint] === undefined) break
    const { columns: among, words } = checks[constraint]
    for (const column of columns.filter((each) => among.includes(each.name) && !digits.has(each.name))) {
      digits.set(column.name, { choices: choicesOf(column, words, values.get(column.name) ?? null), at: 0 })
    }
    if (!turn([...digits.values()])) break
  }
  throw new Error(`No row for ${name} was found.`, { cause: problem })
}

/** @returns true when there is another setting */
function turn(digits: readonly { readonly choices: readonly Value[]; at: number }[]): boolean {
  for (const digit of digits) {
    digit.at++
    if (digit.at < digit.choices.length) return true
    digit.at = 0
  }
  return false
}

async function tryRow(
  db: pg.ClientBase,
  table: string,
  columns: readonly Column[],
  values: ReadonlyMap<string, Value>,
): Promise<unknown> {
  const given = columns.map(({ name, type }, index) => ({ name: `"${name}"`, value: `$${index + 1}::${type}` }))
  const text = `insert into ${table} (${given.map(({ name }) => name)}) values (${given.map(({ value }) => value)})
    on conflict do nothing`
  await db.query('savepoint attempt')
  try {
    await db.query(
      text,
      columns.map(({ name }) => values.get(name)),
    )
    return undefined
  } catch (error) {
    await db.query('rollback to attempt')
    return error
  }
}

async function fillingOf(db: pg.ClientBase, table: Table, column: Column, round: number, day: Date): Promise<Value> {
  const { table: target, column: targetColumn } = table.references[column.name] ?? {}
  if (target !== undefined) {
    // The newest row is taken, of this round where there is one, so that columns that refer together refer to the same.
    const { rows } = await db.query(`select "${targetColumn}"::text as value from ${target} order by ctid desc limit 1`)
    return rows[0]?.value ?? null
  }
  return byType(column, round, day)
}

function byType({ type, isList }: Column, round: number, day: Date): Value {
  if (type.endsWith('[]')) return '{}'
  if (/^(smallint|integer|bigint|real|double precision|numeric)/.test(type)) return String(round)
  if (type === 'boolean') return 'true'
  if (type === 'uuid') return `00000000-0000-4000-8000-${String(round).padStart(12, '0')}`
  if (type === 'bytea') return `\\x${String(round).padStart(64, '0')}`
  if (type === 'date') return day.toISOString().slice(0, 10)
  if (type.startsWith('timestamp')) return new Date(day.getTime() + round * 60_000).toISOString()
  if (type.startsWith('json')) return isList ? '[]' : '{}'
  return `round ${round}`
}

/** What a check may ask for instead of the present value; a nullable column may have to be null. */
function choicesOf({ type, isNullable }: Column, words: readonly string[], present: Value): readonly Value[] {
  return [...new Set([present, ...choicesByType(type, words, present), ...(isNullable ? [null] : [])])]
}

/** A check that compares contains its words, arrays have lengths, and a date may stand for its month. */
function choicesByType(type: string, words: readonly string[], present: Value): readonly Value[] {
  if (type.endsWith('[]')) return [`{${Array.from({ length: 24 }, () => 0)}}`]
  if (type === 'boolean') return ['true', 'false']
  if (type === 'text') return words
  if (type === 'date') return [`${present?.slice(0, 8)}01`]
  if (type.startsWith('json')) return ['[]']
  if (/^(smallint|integer|bigint)/.test(type)) return ['1', '0', '2', ...words.filter((word) => /^\d+$/.test(word))]
  return []
}

const TABLES_SQL = `
  select c.relname as name,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'isNullable', not a.attnotnull,
        'isList', coalesce(pg_get_expr(fallback.adbin, fallback.adrelid) like '''[]''%', false)) order by a.attnum)
      from pg_attribute a left join pg_attrdef fallback on fallback.adrelid = a.attrelid and fallback.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
    ) as columns,
    coalesce((select json_object_agg(a.attname, json_build_object('table', target.relname, 'column', there.attname))
      from pg_constraint k
      cross join lateral unnest(k.conkey, k.confkey) as pair(here_key, there_key)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.here_key
      join pg_attribute there on there.attrelid = k.confrelid and there.attnum = pair.there_key
      join pg_class target on target.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f'), '{}') as "references",
    coalesce((select json_object_agg(k.conname, json_build_object(
        'columns', (select json_agg(a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum = any(k.conkey)),
        'words', coalesce((select json_agg(coalesce(found[1], found[2]))
          from regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''|(\\d+)', 'g') found), '[]')))
      from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'), '{}') as checks
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'migration'
  order by c.relname`
