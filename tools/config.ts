import { ConfigError, listSettings, readConfig, unknownSettings } from '#server/settings/config.ts'
import { settingsPage } from './settingsPage.ts'

function sayAll(): void {
  for (const { name, fileName, absent, present, meaning } of listSettings()) {
    const names = fileName === undefined ? name : `${name}, or ${fileName}`
    console.log(`${names}\n  ${meaning}\n  now: ${present === '' ? `absent (${absent})` : present}\n`)
  }
  for (const name of unknownSettings()) console.log(`${name} is set, but is no setting of Wayside.`)
  try {
    readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

if (process.argv.includes('--page')) process.stdout.write(settingsPage())
else sayAll()
