import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { run } from '../children.mjs'
import { withProgress } from '../progress.mjs'

/** The browser without a window treats pages as the other does, in two thirds of the time. */
const WINDOWLESS = '/usr/bin/chromium-headless-shell'
const USUAL_PLACES = [
  WINDOWLESS,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const findChromium = () => USUAL_PLACES.find((place) => existsSync(place))

/** Finds the browser, or says why there is none; root on Debian installs the one without a window. */
export async function provideChromium(): Promise<{ path: string } | { problem: string }> {
  const given = process.env.CHROMIUM_PATH
  if (given) return existsSync(given) ? { path: given } : { problem: `CHROMIUM_PATH names no file: ${given}` }
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  const output =
    mayInstall && !existsSync(WINDOWLESS) ? await withProgress('Installing Chromium', installChromium) : undefined
  const found = findChromium()
  if (found !== undefined) return { path: found }
  return output === undefined
    ? { problem: 'The browser tests need Chromium: install it, or set CHROMIUM_PATH to where it is.' }
    : { problem: `Chromium could not be installed, apt-get said:\n${output}` }
}

async function installChromium(): Promise<string> {
  const quiet = { quiet: true, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const update = await run('apt-get', ['update'], quiet)
  const install = await run('apt-get', ['install', '-y', '--no-install-recommends', basename(WINDOWLESS)], quiet)
  return `${update.output}${install.output}`.trim().split('\n').slice(-15).join('\n')
}
