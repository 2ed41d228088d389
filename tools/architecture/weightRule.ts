import type { Import, Project } from './project.ts'
import type { ArchitectureRule } from './rule.ts'

/** A browser loads these before the Overview, or the sign-in page, can be used. */
const FIRST = ['app/main.ts', 'app/drawConsole.tsx', 'app/LoginPage.tsx', 'app/signedInPages.tsx', 'app/Shell.tsx'].map(
  (path) => `console/${path}`,
)
const FIRST_SCREEN = 'console/features/insight/overview/OverviewScreen.tsx'

const HEAVY = /^(@mantine\/|@floating-ui\/|@tanstack\/react-virtual$|uplot$|leaflet$|supercluster$|zod$)/

/** A server at rest has read these (docs/decisions/0340). */
const SERVER_START = 'server/app/server.ts'
const SELDOM_USED =
  /^(any-ascii|date-holidays|hyparquet|hyparquet-writer|ical-generator|nodemailer|openid-client|pdfkit|@photostructure\/tz-lookup|@resvg\/resvg-js|@simplewebauthn\/server|@zxcvbn-ts\/.*)$/

export const weightRule: ArchitectureRule = {
  name: 'light-start',
  why: 'the sign-in page, the shell and the Overview are there before the kit, charts, maps and long lists, and a server at rest without what it seldom uses: these come with their first use (`lazyPart`, `await import`)',
  offences: (project) => [
    ...heavyOf(project, [...FIRST, FIRST_SCREEN], HEAVY),
    ...heavyOf(project, [SERVER_START], SELDOM_USED),
  ],
}

const heavyOf = (project: Project, first: readonly string[], heavy: RegExp) =>
  [...reached(project, first)].flatMap((path) =>
    (project.moduleAt(path)?.imports ?? [])
      .filter((taken) => taken.target.kind === 'package' && isTaken(taken) && heavy.test(taken.specifier))
      .map(({ specifier, line }) => ({ path, line, what: `is needed at once and imports ${specifier}` })),
  )

const isTaken = ({ isTypeOnly, isLate }: Import) => !isTypeOnly && !isLate

function reached({ moduleAt }: Project, first: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [...first]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    found.add(path)
    const taken = moduleAt(path)?.imports.filter((each) => each.target.kind === 'module' && isTaken(each)) ?? []
    // The browser gets the contract as plain data, whatever it is written with.
    waiting.push(...taken.map(({ target }) => target.name).filter((name) => !name.startsWith('contract/')))
  }
  return found
}
