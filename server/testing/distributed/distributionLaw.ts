import { below, nodeOf, nodesOf, numberOf, type TreeNode, textOf } from './parsedTree.ts'
import { type Distributed, type Level, TreeScope } from './TreeScope.ts'

/** What the catalogue says about the numbers in a tree. */
export interface Catalogue {
  readonly distributed: Distributed
  readonly volatileFunctions: ReadonlySet<string>
}

const CHANGES = new Set(['2', '4', '5'])

export const OFFENCE = {
  rowByRow: 'reads rows on workers for each row of something else',
  join: 'joins tables on workers by something else than the device',
  lock: 'locks rows on workers',
  volatile: 'changes rows on workers by a volatile function',
  place: 'finds rows on workers by where they lie',
} as const

/**
 * Says what keeps a statement from running where rows lie on workers by device (decision 347). A statement about one
 * device runs on its worker as a whole. Of several, each worker can do only what needs no row from elsewhere.
 */
export function offencesOf(query: TreeNode, catalogue: Catalogue): readonly string[] {
  const scope = new TreeScope(query, catalogue.distributed)
  if (scope.scans.length === 0 || scope.isOfOneDevice) return []
  const found = scope.levels.flatMap((level) => [
    ...rowByRow(scope, level),
    ...joinsElsewhere(scope, level),
    ...lockedRows(scope, level),
    ...changes(scope, level, catalogue),
  ])
  return [...new Set(found)]
}

/**
 * A query in brackets may name something of outside where those rows lie on the same worker. Among tables it may name
 * other rows too, as they are sent to all workers, while it puts nothing of several devices together.
 */
function rowByRow(scope: TreeScope, level: Level): string[] {
  const inner = scope.scans.filter((scan) => scope.isWithin(scan.level, level))
  if (level.outside.length === 0 || inner.length === 0) return []
  const fed = new Set(level.outside.flatMap((name) => [...scope.sourcesOf(name.level)]))
  const outer = scope.scans.filter((scan) => fed.has(scan.level) && !inner.includes(scan))
  if (outer.length === 0) return level.isRange && keepsDevicesApart(scope, level) ? [] : [OFFENCE.rowByRow]
  const isTied = inner.every((scan) => outer.some((other) => scope.isSameDevice(scan, other)))
  return isTied ? [] : [OFFENCE.rowByRow]
}

function keepsDevicesApart(scope: TreeScope, level: Level): boolean {
  const { query } = level
  if (nodeOf(query, 'limitCount') || nodeOf(query, 'limitOffset')) return false
  const hasDevice = (clause: readonly TreeNode[]) => scope.hasDevice({ level, clause })
  const isGrouped = textOf(query, 'hasAggs') === 'true' || nodesOf(query, 'groupClause').length > 0
  const distinct = nodesOf(query, 'distinctClause')
  return (
    (!isGrouped || hasDevice(nodesOf(query, 'groupClause'))) &&
    (distinct.length === 0 || hasDevice(distinct)) &&
    nodesOf(query, 'windowClause').every((window) => hasDevice(nodesOf(window, 'partitionClause')))
  )
}

function joinsElsewhere(scope: TreeScope, level: Level): string[] {
  const [first, ...others] = scope.scans.filter((scan) => scan.level === level)
  return first && others.some((other) => !scope.isSameDevice(first, other)) ? [OFFENCE.join] : []
}

function lockedRows(scope: TreeScope, level: Level): string[] {
  const isRead = scope.scans.some((scan) => scan.level === level)
  return isRead && nodesOf(level.query, 'rowMarks').length > 0 ? [OFFENCE.lock] : []
}

function changes(scope: TreeScope, level: Level, { volatileFunctions }: Catalogue): string[] {
  if (!scope.isChanged(level) || !CHANGES.has(textOf(level.query, 'commandType'))) return []
  const nodes = [...everyNode(level.query)]
  const isVolatile = nodes.some((node) => volatileFunctions.has(textOf(node, 'funcid') || textOf(node, 'opfuncid')))
  // A row's place in its file is its column -1.
  const isByPlace = nodes.some((node) => node.kind === 'VAR' && numberOf(node, 'varattno') === -1)
  return [...(isVolatile ? [OFFENCE.volatile] : []), ...(isByPlace ? [OFFENCE.place] : [])]
}

function* everyNode(node: TreeNode): Generator<TreeNode, void> {
  for (const each of below(node)) {
    yield each
    yield* everyNode(each)
  }
}
