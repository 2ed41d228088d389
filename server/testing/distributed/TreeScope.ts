import { below, isNode, listOf, nodeOf, nodesOf, numberOf, type TreeNode, textOf } from './parsedTree.ts'

/** One query of a statement: the whole, or one in brackets. */
export interface Level {
  readonly number: number
  readonly query: TreeNode
  readonly parent: Level | undefined
  /** It stands among the ranges of a query, and not in one of its expressions. */
  readonly isRange: boolean
  readonly ranges: readonly TreeNode[]
  /** Queries among its ranges, by their place there, which counts from 1. */
  readonly inside: Map<number, Level>
  /** What it names of queries around it. */
  readonly outside: Name[]
}

interface Name {
  readonly level: Level
  readonly range: number
  readonly column: number
}

export interface Scan {
  readonly level: Level
  readonly device: string
}

/** The tables on workers by their numbers, with the place of `device_id` among their columns. */
export type Distributed = ReadonlyMap<string, number>

const KIND = { relation: '0', subquery: '1', join: '2', cte: '6', group: '9' }
const INSERT = '3'
/** The numbers of the operator `=` for integers of any length. */
const EQUALS = new Set(['15', '94', '96', '410', '416', '532', '533', '1862', '1868'])

/** What a statement reads of tables on workers, in which of its queries, and what it says is equal to what. */
export class TreeScope {
  readonly scans: Scan[] = []
  readonly levels: Level[] = []
  readonly #distributed: Distributed
  readonly #equal = new Map<string, string>()
  readonly #pairs: (readonly [Level, TreeNode, TreeNode])[] = []

  constructor(query: TreeNode, distributed: Distributed) {
    this.#distributed = distributed
    this.#enter(query, undefined)
    for (const [level, one, other] of this.#pairs) this.#join(this.#value(level, one), this.#value(level, other))
    this.#joinUnions()
  }

  /** All rows on workers are of the device that a value names, so one worker has them all. */
  get isOfOneDevice(): boolean {
    const groups = new Set(this.scans.map(({ device }) => this.#rootOf(device)))
    return groups.size === 1 && [...groups].every((group) => this.#isGiven(group))
  }

  isSameDevice(one: Scan, other: Scan): boolean {
    return this.#rootOf(one.device) === this.#rootOf(other.device)
  }

  /** Whether a query changes a table on workers. */
  isChanged({ query, ranges }: Level): boolean {
    const target = ranges[numberOf(query, 'resultRelation') - 1]
    return target !== undefined && this.#distributed.has(textOf(target, 'relid'))
  }

  isWithin(level: Level, outer: Level): boolean {
    for (let one: Level | undefined = level; one; one = one.parent) if (one === outer) return true
    return false
  }

  /** Whether the device of rows on workers is among what a clause names. */
  hasDevice({ level, clause }: { readonly level: Level; readonly clause: readonly TreeNode[] }): boolean {
    const named = new Set(clause.map((each) => textOf(each, 'tleSortGroupRef')))
    return nodesOf(level.query, 'targetList').some((entry) => {
      const expression = named.has(textOf(entry, 'ressortgroupref')) ? nodeOf(entry, 'expr') : undefined
      const key = expression && this.#value(level, expression)
      return key !== undefined && this.scans.some(({ device }) => this.#rootOf(device) === this.#rootOf(key))
    })
  }

  /** The queries whose rows a query has at hand: its own, and those it reads from that name nothing outside of them. */
  sourcesOf(level: Level): readonly Level[] {
    const inside = [...level.inside.values()].filter(({ outside }) => outside.length === 0)
    return [level, ...inside.flatMap((inner) => this.sourcesOf(inner))]
  }

  #enter(query: TreeNode, parent: Level | undefined, isRange = true): Level {
    const ranges = nodesOf(query, 'rtable')
    const level: Level = { number: this.levels.length, query, parent, isRange, ranges, inside: new Map(), outside: [] }
    this.levels.push(level)
    for (const cte of nodesOf(query, 'cteList')) {
      const inner = nodeOf(cte, 'ctequery')
      // What is named once and not kept apart is read where it is named.
      const isInPlace = textOf(cte, 'ctematerialized') !== '1' && numberOf(cte, 'cterefcount') === 1
      if (!inner) continue
      const entered = this.#enter(inner, level)
      const place = ranges.findIndex(
        (range) => textOf(range, 'rtekind') === KIND.cte && textOf(range, 'ctename') === textOf(cte, 'ctename'),
      )
      if (isInPlace && place >= 0) level.inside.set(place + 1, entered)
    }
    for (const [at, range] of ranges.entries()) this.#enterRange(level, range, at + 1)
    for (const [name, value] of Object.entries(query.fields)) {
      if (name !== 'rtable' && name !== 'cteList' && typeof value !== 'string') this.#visit(level, value)
    }
    this.#equalities(level, nodeOf(query, 'jointree'))
    return level
  }

  #enterRange(level: Level, range: TreeNode, place: number): void {
    const deviceColumn = this.#distributed.get(textOf(range, 'relid'))
    const kind = textOf(range, 'rtekind')
    const isInserted =
      numberOf(level.query, 'resultRelation') === place && textOf(level.query, 'commandType') === INSERT
    if (kind === KIND.relation && deviceColumn !== undefined && !isInserted) {
      const device = keyOf({ level, range: place, column: deviceColumn })
      this.scans.push({ level, device })
    }
    const inner = nodeOf(range, 'subquery')
    if (kind === KIND.subquery && inner) level.inside.set(place, this.#enter(inner, level))
    else for (const name of ['functions', 'values_lists']) this.#visit(level, listOf(range, name))
  }

  /** Finds queries in brackets among expressions, and names of what stands outside. */
  #visit(level: Level, value: Parameters<typeof below>[0]): void {
    const nodes = isNode(value) ? [value] : below(value)
    for (const node of nodes) {
      if (node.kind === 'QUERY') {
        this.#enter(node, level, false)
        continue
      }
      if (node.kind === 'VAR') this.#noteOutside(level, node)
      if (node.kind !== 'RANGETBLENTRY') this.#visit(level, Object.values(node.fields))
    }
  }

  #noteOutside(level: Level, variable: TreeNode): void {
    const up = numberOf(variable, 'varlevelsup')
    const name = this.#nameOf(level, variable)
    if (!name) return
    let inner: Level | undefined = level
    for (let step = 0; step < up && inner; step++) {
      inner.outside.push(name)
      inner = inner.parent
    }
  }

  #nameOf(level: Level, variable: TreeNode): Name | undefined {
    let at: Level | undefined = level
    for (let step = 0; step < numberOf(variable, 'varlevelsup'); step++) at = at?.parent
    return at && { level: at, range: numberOf(variable, 'varno'), column: numberOf(variable, 'varattno') }
  }

  /** Notes what must be equal for a row to count: what stands in `where` and `on`, joined by `and`. */
  #equalities(level: Level, node: TreeNode | undefined): void {
    if (!node) return
    if (node.kind === 'FROMEXPR' || node.kind === 'JOINEXPR') {
      for (const name of ['fromlist', 'larg', 'rarg', 'quals']) {
        for (const each of nodesOf(node, name)) this.#equalities(level, each)
      }
    }
    if (node.kind === 'BOOLEXPR' && textOf(node, 'boolop') === 'and') {
      for (const each of nodesOf(node, 'args')) this.#equalities(level, each)
    }
    if (node.kind !== 'OPEXPR' || !EQUALS.has(textOf(node, 'opno'))) return
    const [one, other] = nodesOf(node, 'args')
    if (one && other) this.#pairs.push([level, one, other])
  }

  /** A column of a union is equal to that of each of its parts, as far as one device is concerned. */
  #joinUnions(): void {
    for (const level of this.levels) {
      if (!nodeOf(level.query, 'setOperations')) continue
      for (const part of level.inside.values()) {
        for (const entry of nodesOf(part.query, 'targetList')) {
          const value = nodeOf(entry, 'expr')
          if (value) this.#join(unionKey(level, numberOf(entry, 'resno')), this.#value(part, value))
        }
      }
    }
  }

  /** Returns what stands for a value wherever it is named, or undefined for what is computed. */
  #value(level: Level, node: TreeNode): string | undefined {
    if (node.kind === 'PARAM') return `given ${textOf(node, 'paramid')}`
    if (node.kind === 'CONST') return `given '${listOf(node, 'constvalue').join(' ')}'`
    if (node.kind === 'RELABELTYPE') return this.#argument(level, node)
    if (node.kind !== 'VAR') return undefined
    const name = this.#nameOf(level, node)
    return name && this.#source(name)
  }

  #argument(level: Level, node: TreeNode): string | undefined {
    const inner = nodeOf(node, 'arg')
    return inner && this.#value(level, inner)
  }

  /** Follows a name into the query, the join or the grouping that it stands for. */
  #source(name: Name): string | undefined {
    const { level, range, column } = name
    const at = level.ranges[range - 1]
    const inner = level.inside.get(range)
    if (inner) {
      if (nodeOf(inner.query, 'setOperations')) return unionKey(inner, column)
      const entry = nodesOf(inner.query, 'targetList').find((each) => numberOf(each, 'resno') === column)
      const value = entry && nodeOf(entry, 'expr')
      return value && this.#value(inner, value)
    }
    const kind = at && textOf(at, 'rtekind')
    const alias = kind === KIND.join ? 'joinaliasvars' : kind === KIND.group ? 'groupexprs' : undefined
    const value = at && alias ? nodesOf(at, alias)[column - 1] : undefined
    return value ? this.#value(level, value) : keyOf(name)
  }

  #join(one: string | undefined, other: string | undefined): void {
    if (one === undefined || other === undefined) return
    const [first, second] = [this.#rootOf(one), this.#rootOf(other)]
    if (first === second) return
    // What is given stays the root, so that a group tells whether a value is known.
    if (this.#isGiven(second)) this.#equal.set(first, second)
    else this.#equal.set(second, first)
  }

  #rootOf(key: string): string {
    let root = key
    for (let next = this.#equal.get(root); next !== undefined; next = this.#equal.get(root)) root = next
    return root
  }

  #isGiven(root: string): boolean {
    return root.startsWith('given ')
  }
}

const keyOf = ({ level, range, column }: Name): string => `${level.number}.${range}.${column}`
const unionKey = (level: Level, column: number): string => `${level.number} union ${column}`
