import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { noticesOf, noticesText } from './licences/notices.ts'
import { billOfMaterials, packagesOf } from './materials.ts'

const AGENT = 'device/agent/main.ts'
const LAUNCHER = 'device/launcher/main.ts'
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Bundles the agent as one program that needs only Node.js, and that knows its version. */
export const bundleAgent = (version: string) => bundle(AGENT, { WAYSIDE_CLIENT_VERSION: JSON.stringify(version) })

export const bundleLauncher = async () => (await bundle(LAUNCHER, {})).program

interface Bundle {
  readonly program: Uint8Array
  readonly packages: ReadonlySet<string>
}

async function bundle(entry: string, define: Readonly<Record<string, string>>): Promise<Bundle> {
  const result = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    define,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: entry,
      write: false,
      target: 'node24',
      rolldownOptions: {
        output: {
          format: 'es',
          codeSplitting: false,
          // Names stay, so that the stack of a device's error can be read.
          minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  })
  const outputs = [result].flat().flatMap((each) => ('output' in each ? each.output : []))
  const [program, ...others] = outputs
  if (program?.type !== 'chunk' || others.length > 0) throw new Error(`${entry} did not become one file.`)
  const foreign = [...program.imports, ...program.dynamicImports].filter((name) => !name.startsWith('node:'))
  if (foreign.length > 0) throw new Error(`${entry} would need ${foreign.join(', ')} on the device.`)
  const packages = packagesOf(program.moduleIds)
  return { program: new TextEncoder().encode(`${program.code}${licencesOf(packages)}`), packages }
}

/** The licences go wherever the program goes. */
function licencesOf(packages: ReadonlySet<string>): string {
  if (packages.size === 0) return ''
  const notices = noticesOf(ROOT, billOfMaterials(ROOT, 'wayside-client', '0.0.0', packages))
  return `\n/* Licences of what is in this program.\n\n${noticesText(notices).replaceAll('*/', '* /')}*/\n`
}
