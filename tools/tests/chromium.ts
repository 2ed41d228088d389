import { existsSync } from 'node:fs'
import { run } from '../children.mjs'
import { withProgress } from '../progress.mjs'

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const findChromium = () => USUAL_PLACES.find((place) => existsSync(place))

/** The browser for the browser tests, installed from Debian's packages when root finds none; or why there is none. */
export async function provideChromium(): Promise<{ path: string } | { problem: string }> {
  const given = process.env.CHROMIUM_PATH
  if (given) return existsSync(given) ? { path: given } : { problem: `CHROMIUM_PATH names no file: ${given}` }
  const found = findChromium()
  if (found !== undefined) return { path: found }

  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return { problem: 'The browser tests need Chromium: install it, or set CHROMIUM_PATH to where it is.' }
  }
  const output = await withProgress('Installing Chromium', installChromium)
  const installed = findChromium()
  return installed === undefined
    ? { problem: `Chromium could not be installed, apt-get said:\n${output}` }
    : { path: installed }
}

async function installChromium(): Promise<string> {
  const quiet = { quiet: true, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const update = await run('apt-get', ['update'], quiet)
  const install = await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], quiet)
  return `${update.output}${install.output}`.trim().split('\n').slice(-15).join('\n')
}
