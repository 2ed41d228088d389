import type { Module } from './project.ts'
import type { ArchitectureRule, Offence } from './rule.ts'
import { child, children, dottedName, type Node, nameOf, walk } from './syntax.ts'

/** Makes a rule about what a module does; `judge` names the offence of a node. */
function nodeRule(
  name: string,
  why: string,
  isSubject: (module: Module) => boolean,
  judge: (node: Node, parent: Node | undefined) => string | undefined,
): ArchitectureRule {
  const offencesIn = (module: Module): Offence[] => {
    const found: Offence[] = []
    walk(module.program, (node, parent) => {
      const what = judge(node, parent)
      if (what !== undefined) found.push({ path: module.path, line: module.lineOf(node), what })
    })
    return found
  }
  return { name, why, offences: ({ modules }) => modules.filter(isSubject).flatMap(offencesIn) }
}

const withoutGlobal = (name: string | undefined) => name?.replace(/^(globalThis|window|self)\./, '')

const isOutsideProduct = ({ path }: Module) => /^(tools|trials|e2e)\//.test(path) || /^[\w.]+\.config\.ts$/.test(path)

const environmentInConfig = nodeRule(
  'environment-in-config',
  'the environment is read only in config.ts, where each setting is documented and checked',
  (module) => !isOutsideProduct(module) && !module.isTest && !/(^|\/)config\.ts$/.test(module.path),
  (node) => {
    if (node.type === 'MemberExpression' && withoutGlobal(dottedName(node)) === 'process.env')
      return 'reads process.env'
    if (node.type === 'ImportSpecifier' && nameOf(child(node, 'imported')) === 'env') return 'imports env'
    if (node.type === 'VariableDeclarator' && withoutGlobal(dottedName(child(node, 'init'))) === 'process') {
      const keys = children(child(node, 'id'), 'properties').map((each) => nameOf(child(each, 'key')))
      return keys.includes('env') ? 'reads process.env' : undefined
    }
    return undefined
  },
)

const NETWORK = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket', 'navigator.sendBeacon']

/** Returns a name used for its value: not a property `a.fetch`, a key, a parameter or a type. */
function valueName(node: Node, parent: Node | undefined): string | undefined {
  if (node.type === 'MemberExpression') return withoutGlobal(dottedName(node))
  if (node.type !== 'Identifier') return undefined
  const isUse =
    (parent?.type === 'CallExpression' && child(parent, 'callee') === node) ||
    (parent?.type === 'NewExpression' && child(parent, 'callee') === node) ||
    ((parent?.type === 'CallExpression' || parent?.type === 'NewExpression') &&
      children(parent, 'arguments').includes(node)) ||
    (parent?.type === 'VariableDeclarator' && child(parent, 'init') === node) ||
    (parent?.type === 'Property' && child(parent, 'value') === node && parent.kind === 'init') ||
    (parent?.type === 'AssignmentPattern' && child(parent, 'right') === node) ||
    (parent?.type === 'LogicalExpression' && child(parent, 'right') === node)
  return isUse ? nameOf(node) : undefined
}

const networkInLinks = nodeRule(
  'network-in-links',
  "the network is used only in console/lib and in the agent's link: one place decides about errors, tokens and repeats",
  (module) =>
    !isOutsideProduct(module) &&
    !module.isTest &&
    !module.path.startsWith('console/lib/') &&
    // The worker passes on what pages ask for.
    !module.path.startsWith('console/public/') &&
    !module.path.startsWith('device/agent/link'),
  (node, parent) => {
    const name = valueName(node, parent)
    return name !== undefined && NETWORK.includes(name) ? `uses ${name}` : undefined
  },
)

const HTTP_MODULES = /^(node:)?https?2?$/
/** These call out; all else in these modules listens, or is a type. */
const CALLS_OUT = ['request', 'get', 'connect', 'Agent', 'ClientRequest', 'globalAgent']

const outboundInOnePlace = nodeRule(
  'outbound-by-one-door',
  'the server calls others by HTTP only through server/outbound, which decides whom it may call and what it believes (docs/decisions/0219)',
  ({ path, isTest }) => path.startsWith('server/') && !isTest && !/^server\/(outbound|testing)\//.test(path),
  (node, parent) => {
    if (node.type === 'ImportExpression')
      return HTTP_MODULES.test(nameOf(child(node, 'source')) ?? '') ? 'imports a module that calls out' : undefined
    if (parent?.type !== 'ImportDeclaration' || !HTTP_MODULES.test(nameOf(child(parent, 'source')) ?? ''))
      return undefined
    if (node.type === 'ImportNamespaceSpecifier' || node.type === 'ImportDefaultSpecifier')
      return 'imports a module that calls out whole'
    const name = node.type === 'ImportSpecifier' ? nameOf(child(node, 'imported')) : undefined
    return name !== undefined && CALLS_OUT.includes(name) ? `imports ${name}` : undefined
  },
)

/** Digesting, signing and verifying depend on their arguments alone; all else of crypto is random. */
const CLOCKS_AND_CHANCE =
  /^(Date\.now|performance\.\w+|Math\.random|crypto\.(?!subtle$)\w+|crypto\.subtle\.(?!(digest|importKey|sign|verify)$)\w+|process\.hrtime(\.bigint)?|process\.uptime|Temporal\.Now\.\w+|setTimeout|setInterval|setImmediate|queueMicrotask|requestAnimationFrame)$/

const domainWithoutClock = nodeRule(
  'domain-without-clock',
  'domain has no clock, no randomness and no timers: time is passed in, so that every rule can be tested at any moment',
  ({ path }) => path.startsWith('domain/'),
  (node, parent) => {
    const name = valueName(node, parent)
    if (name !== undefined && CLOCKS_AND_CHANCE.test(name)) return `uses ${name}`
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined
    if (withoutGlobal(dottedName(child(node, 'callee'))) !== 'Date') return undefined
    return node.type === 'CallExpression' || children(node, 'arguments').length === 0
      ? 'reads the clock by Date'
      : undefined
  },
)

const isTimeOf = (node: Node | undefined): boolean =>
  node?.type === 'CallExpression' &&
  /^(Date|performance)\.now$/.test(withoutGlobal(dottedName(child(node, 'callee'))) ?? '')

/** A busy machine fails `expect(… now() - began).toBeLessThan(…)`. */
function isStopwatch(node: Node): boolean {
  const callee = child(node, 'callee')
  const matcher = nameOf(child(callee, 'property')) ?? ''
  const expected = child(callee, 'object')
  if (!matcher.startsWith('toBeLess') || nameOf(child(expected, 'callee')) !== 'expect') return false
  const [difference] = children(expected, 'arguments')
  return difference?.type === 'BinaryExpression' && isTimeOf(child(difference, 'left'))
}

/** `vi.waitFor` and `vi.waitUntil` give up after a second unless they are told otherwise. */
const isShortWait = (node: Node): boolean =>
  /^vi\.wait(For|Until)$/.test(dottedName(child(node, 'callee')) ?? '') && children(node, 'arguments').length < 2

/** Matches `new Promise((resolve) => setTimeout(resolve, …))`. */
function isSleep(node: Node): boolean {
  const [work] = children(node, 'arguments')
  const awaited = child(work, 'body')
  return nameOf(child(node, 'callee')) === 'Promise' && nameOf(child(awaited, 'callee')) === 'setTimeout'
}

const testsWithoutClock = nodeRule(
  'tests-without-clock',
  'tests of server, device and tools say nothing of how long something took, roll no dice that nobody can roll again, say how long they wait at most, and sleep only by passTime, which says why: a busy machine must not fail them',
  ({ path, isTest }) => isTest && /^(server|device|tools|testing)\//.test(path) && path !== 'testing/passTime.ts',
  (node, parent) => {
    if (valueName(node, parent) === 'Math.random') return 'rolls dice without a seed'
    if (node.type === 'CallExpression' && isStopwatch(node)) return 'expects something within a time'
    if (node.type === 'CallExpression' && isShortWait(node)) return 'waits for a second at most'
    if (node.type === 'NewExpression' && isSleep(node)) return 'sleeps'
    if (node.type !== 'ImportDeclaration' || nameOf(child(node, 'source')) !== 'node:timers/promises') return undefined
    const taken = children(node, 'specifiers').map((each) => nameOf(child(each, 'imported')))
    return taken.includes('setTimeout') ? 'sleeps' : undefined
  },
)

const UNITS_OF_TIME = 'domain/units/time.ts'

const oneHomeForUnits = nodeRule(
  'one-home-for-units',
  `how many milliseconds a second, a minute, an hour and a day have stands in ${UNITS_OF_TIME}`,
  ({ path }) => path !== UNITS_OF_TIME,
  (node) => {
    const name = node.type === 'VariableDeclarator' ? nameOf(child(node, 'id')) : undefined
    return /^(SECOND|MINUTE|HOUR|DAY|WEEK)_MS$/.test(name ?? '') ? `declares ${name}` : undefined
  },
)

export const PURITY_RULES: readonly ArchitectureRule[] = [
  environmentInConfig,
  networkInLinks,
  outboundInOnePlace,
  domainWithoutClock,
  testsWithoutClock,
  oneHomeForUnits,
]
