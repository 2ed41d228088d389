import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { deviceAddresses, localAddresses } from './deviceAddresses.ts'

const ports = { httpPort: 8080, mqttPort: 1883 }

test.each([
  ['127.0.0.1', undefined, 'http://127.0.0.1:8080', 'mqtt://127.0.0.1:1883'],
  ['::1', undefined, 'http://[::1]:8080', 'mqtt://[::1]:1883'],
  ['0.0.0.0', undefined, `http://${hostname()}:8080`, `mqtt://${hostname().toLowerCase()}:1883`],
  ['127.0.0.1', 'http://wayside.example:81', 'http://wayside.example:81', 'mqtt://wayside.example:1883'],
  ['127.0.0.1', 'https://wayside.example', 'https://wayside.example', 'wss://wayside.example/mqtt'],
])('a server on %s, known as %s, tells devices %s and %s', (bindAddress, publicUrl, httpUrl, mqttUrl) => {
  expect(deviceAddresses({ ...ports, bindAddress, publicUrl })).toEqual({ httpUrl, mqttUrl })
})

test('the fleet on the same machine goes by no name of the outside world', () => {
  const addresses = { httpUrl: 'http://127.0.0.1:8080', mqttUrl: 'mqtt://127.0.0.1:1883' }
  expect(localAddresses({ ...ports, bindAddress: '0.0.0.0' })).toEqual(addresses)
})
