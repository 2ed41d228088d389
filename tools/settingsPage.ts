import { listSettings } from '#server/settings/config.ts'

const code = (text: string) => `\`${text}\``
const cell = (text: string) => text.replaceAll('|', '\\|')

/** Writes the guide's page of settings from the table by which the server reads them. */
export function settingsPage(): string {
  const rows = listSettings({}).map(({ name, fileName, absent, meaning }) => {
    const names = fileName === undefined ? code(name) : `${code(name)}, ${code(fileName)}`
    return `| ${names} | ${cell(absent)} | ${cell(meaning)} |`
  })
  return `# Settings

Every setting is a variable of the environment, and an empty one counts as absent. \`npm run config\` lists them with their present
values, and wrote this page (\`npm run config -- --page > docs/guide/run/settings.md\`). What cannot be used ends the start with one sentence.

Each secret may stand in a file of its own instead: the variable with \`_FILE\` names it. It holds the secret in one line, whose end does not
count. Both together, a file that cannot be read and one that is empty end the start with one sentence that names the variable. Files are
read at the start; how to exchange what is in them: [changing keys and passwords](key-rotation.md).

| setting | without it | what it means |
|---|---|---|
${rows.join('\n')}
`
}
