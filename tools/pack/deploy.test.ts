import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { listSettings, readConfig } from '#server/settings/config.ts'

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')
const { version } = JSON.parse(read('package.json')) as { readonly version: string }
const FILES = [
  'deploy/container/Containerfile',
  'deploy/container/compose.yaml',
  'deploy/kubernetes/wayside.yaml',
  'deploy/systemd/wayside.service',
]
const settings = listSettings({}).flatMap(({ name, fileName }) => [name, fileName])
const secrets = listSettings({}).filter(({ secret }) => secret)

test('what installs it elsewhere names settings that there are, and its own version', () => {
  for (const file of FILES) {
    const named = new Set(read(file).match(/\b(?:WAYSIDE|DATABASE)_[A-Z_]+\b/g))
    expect([file, [...named].filter((name) => !settings.includes(name))]).toEqual([file, []])
    for (const [, tag] of read(file).matchAll(/localhost\/wayside:(\S+)/g)) expect([file, tag]).toEqual([file, version])
  }
})

test('its secrets are files', () => {
  for (const file of FILES) {
    const named = new Set(read(file).match(/\b(?:WAYSIDE|DATABASE)_[A-Z_]+\b/g))
    expect([file, secrets.filter(({ name }) => named.has(name))]).toEqual([file, []])
  }
})

test('it opens the ports that the server takes by itself, and asks the health that it tells', () => {
  const { httpPort, httpsPort, mqttPort, mqttsPort } = readConfig({})
  expect(read('deploy/container/Containerfile')).toContain(`EXPOSE ${httpPort} ${httpsPort} ${mqttPort} ${mqttsPort}\n`)
  const compose = read('deploy/container/compose.yaml')
  expect(compose).toContain(`- 443:${httpsPort}\n      - 8883:${mqttsPort}\n`)
  expect(compose).toContain(`http://127.0.0.1:${httpPort}/readyz`)
  const manifests = read('deploy/kubernetes/wayside.yaml')
  expect(manifests).toContain(`{ name: https, containerPort: ${httpsPort} }`)
  expect(manifests).toContain(`{ name: mqtts, containerPort: ${mqttsPort} }`)
  expect([...manifests.matchAll(/path: (\/\w+), port: https/g)].map(([, path]) => path)).toEqual([
    '/livez',
    '/livez',
    '/readyz',
  ])
})

test('the container, its volume and Kubernetes mean the same user and folder', () => {
  const containerfile = read('deploy/container/Containerfile')
  const [, user = ''] = /^USER (\d+):\d+$/m.exec(containerfile) ?? []
  const [, folder = ''] = /^VOLUME (\S+)$/m.exec(containerfile) ?? []
  expect(containerfile).toContain(`WAYSIDE_DATA=${folder} `)
  expect(read('deploy/container/compose.yaml')).toContain(`- data:${folder}\n`)
  const manifests = read('deploy/kubernetes/wayside.yaml')
  expect(manifests).toContain(`{ name: data, mountPath: ${folder} }`)
  expect(manifests).toContain(`runAsUser: ${user}\n`)
  expect(manifests).toContain(`fsGroup: ${user}\n`)
})
