import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../children.mjs'
import { ROOT } from '../node24.mjs'
import { provideChromium } from './chromium.ts'

export const inModules = (path: string) => join(ROOT, 'node_modules', path)

/** Programs that tests start reuse compiled code: compiling the server is half of its start. */
const COMPILED = inModules('.cache/tests')

/** Programs in folders of one test are compiled as well, and would pile up from run to run. */
export const forgetCompiled = () => rmSync(COMPILED, { recursive: true, force: true })

/** Settings of the person who runs the tests must not change what they test. */
function cleanEnvironment({ env = {}, isLive = false }: ToolOptions) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(WAYSIDE_|DATABASE_|VITEST|NODE_OPTIONS$)/.test(name))
  const plain = isLive ? {} : { NO_COLOR: '1', FORCE_COLOR: '0' }
  return { ...Object.fromEntries(kept), NODE_COMPILE_CACHE: COMPILED, ...plain, ...env }
}

export type ToolOptions = Readonly<{
  env?: Record<string, string>
  /** The output is shown at once, instead of kept for a failure. */
  isLive?: boolean
}>

export async function runTool(script: string, scriptArguments: readonly string[], options: ToolOptions = {}) {
  // The runners clean up on SIGINT, and not on SIGTERM.
  return run(process.execPath, [script, ...scriptArguments], {
    quiet: options.isLive !== true,
    env: cleanEnvironment(options),
    stopSignal: 'SIGINT',
  })
}

export const runVitest = (vitestArguments: readonly string[]) =>
  runTool(inModules('vitest/vitest.mjs'), vitestArguments)

/** Also finds or installs the browser, or says why there is none. */
export async function runPlaywright(
  playwrightArguments: readonly string[],
  options: ToolOptions = {},
): Promise<{ code: number; output: string } | { problem: string }> {
  const chromium = await provideChromium()
  if ('problem' in chromium) return chromium
  return runTool(inModules('@playwright/test/cli.js'), ['test', ...playwrightArguments], {
    ...options,
    env: { ...options.env, CHROMIUM_PATH: chromium.path },
  })
}
