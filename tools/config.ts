import { ConfigError, readConfig, settingsInWords, unknownSettings } from '#server/config.ts'

for (const { name, absent, present, meaning } of settingsInWords()) {
  console.log(`${name}\n  ${meaning}\n  now: ${present === '' ? `absent (${absent})` : present}\n`)
}
for (const name of unknownSettings()) console.log(`${name} is set, but is no setting of Wayside.`)

try {
  readConfig()
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
