import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readOptions } from '#domain/drivers/driverDescription.ts'
import { NUT } from '#domain/drivers/nutDescription.ts'
import { type NutServer, nutIsMissing, startNutServer } from '#testing/nutServer.ts'
import { HardwareError } from '../hardware.ts'
import { nutDriver } from './nutDriver.ts'
import { wordsOf } from './upsdSession.ts'

const VARIABLES = {
  'ups.status': 'OL CHRG',
  'battery.charge': '98',
  'battery.runtime': '1830.6',
  'battery.voltage': '27.1',
  'input.voltage': '231.4',
  'output.voltage': '230.0',
  'ups.load': '34',
  'ups.temperature': '29.5',
  'ups.test.result': 'Done and passed',
  'outlet.1.status': 'on',
  'outlet.2.status': 'off',
}

function open(options: Readonly<Record<string, unknown>>, topic: 'ups' | 'power-switch' = 'ups') {
  const read = readOptions(NUT, options)
  if ('problem' in read) throw new Error(read.problem.reason)
  const place = { topic, number: 1, steadyMs: () => performance.now(), log: () => undefined, inQueue: inOneTurn }
  return nutDriver.open(read.options, place)
}
const inOneTurn = <Result>(_: string, work: () => Promise<Result>) => work()
const soon = () => AbortSignal.timeout(5000)

if (nutIsMissing) console.warn(nutIsMissing)
describe.skipIf(nutIsMissing)("with Debian's upsd and dummy-ups (package nut-server)", () => {
  let nut: NutServer
  beforeAll(async () => {
    nut = await startNutServer(VARIABLES)
  })
  afterAll(() => nut?.stop())

  test('every value of the UPS is read, and its outlets as a power switch', async () => {
    expect(await open(nut.options).read(soon())).toEqual({
      values: {
        status: 'on line interactive normal',
        battery_charge: 98,
        battery_runtime: 1830.6,
        load: 34,
        input_voltage: 231.4,
        output_voltage: 230,
        battery_voltage: 27.1,
        temp: 29.5,
        battery_test_result: 'passed',
        replace_battery: 0,
        alarm: 'none',
      },
    })
    expect(await open(nut.options, 'power-switch').read(soon())).toEqual({
      values: { port1_status: 1, port2_status: 0 },
    })
    expect(await open(nut.options).test(soon())).toBe(
      `NUT at 127.0.0.1:${nut.options.port} answers: UPS "cabinet" on line, charge 98 %.`,
    )
  })

  test('a UPS on its battery says so; one that says neither has no status', async () => {
    await nut.set('ups.status', 'OB DISCHRG')
    expect((await open(nut.options).read(soon()))?.values.status).toBe('on battery')
    await nut.set('ups.status', 'OFF')
    expect((await open(nut.options).read(soon()))?.values.status).toBeUndefined()
    await nut.set('ups.status', 'OL CHRG')
  })

  test('a UPS that is switched off, or whose battery is worn, says so beside its status', async () => {
    const said = async (variables: Readonly<Record<string, string>>) => {
      const other = await startNutServer(variables)
      const values = (await open(other.options).read(soon()))?.values
      const sentence = await open(other.options).test(soon())
      await other.stop()
      return { values, sentence }
    }
    const off = await said({ 'ups.status': 'OL OFF', 'input.voltage': '229.0', 'output.voltage': '0.0' })
    expect(off.values).toMatchObject({ status: undefined, output_voltage: 0, alarm: 'output off', replace_battery: 0 })
    expect(off.sentence).toContain('UPS "cabinet" says no status, alarm: output off.')
    const worn = await said({ 'ups.status': 'ALARM OL RB', 'ups.alarm': 'Battery worn', 'battery.runtime': '-1' })
    expect(worn.values).toMatchObject({
      status: 'on line interactive normal',
      battery_runtime: undefined,
      alarm: 'replace battery, Battery worn',
      replace_battery: 1,
    })
  })

  test('what upsd refuses is said in whole words', async () => {
    const wrong = open({ ...nut.options, ups: 'nobody' })
    await expect(wrong.test(soon())).rejects.toThrow(new HardwareError('upsd knows no UPS of this name.'))
    const ups = (user: object) => open({ ...nut.options, ...user }).commands?.ups
    await expect(ups({})?.shutdown?.()).rejects.toThrow('upsd wants a user for that')
    await expect(ups({ ...nut.user, password: 'wrong' })?.shutdown?.()).rejects.toThrow('upsd does not let this user')
    await expect(ups(nut.user)?.reboot?.()).rejects.toThrow('The UPS "cabinet" offers none of shutdown.reboot')
  })

  test('an order that upsd takes and the driver of the UPS does not know was not carried out', async () => {
    await expect(open({ ...nut.options, ...nut.user }).commands?.ups?.shutdown?.()).rejects.toThrow(
      'The UPS was told load.off, and did not do it.',
    )
  })

  test('a UPS whose driver has ended is unknown, though upsd still answers', async () => {
    await nut.loseUps()
    await expect.poll(() => open(nut.options).read(soon())).toBeUndefined()
    await expect(open(nut.options).test(soon())).rejects.toThrow('upsd runs, but')
  })
})

/** Starts a server that answers each line by a script and records what it received. */
async function startScript(answerTo: (line: string) => string | undefined) {
  const heard: string[] = []
  const server: Server = createServer((socket) => {
    socket.setEncoding('utf8')
    socket.on('error', () => undefined)
    socket.on('data', (text: string) => {
      for (const line of text.split('\n').filter(Boolean)) {
        heard.push(line)
        const answer = answerTo(line)
        if (answer === undefined) socket.destroy()
        else socket.write(answer)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return { heard, options: { host: '127.0.0.1', port: typeof address === 'object' && address ? address.port : 0 } }
}

const CMDS = ['shutdown.return', 'outlet.2.load.cycle', 'outlet.1.load.off', 'test.battery.start.quick', 'load.off']
const OFFERED = `BEGIN LIST CMD ups\n${CMDS.map((name) => `CMD ups ${name}\n`).join('')}END LIST CMD ups\n`

test('each command is the one that the UPS offers, ordered once, and what came of it is waited for', async () => {
  let asked = 0
  const { heard, options } = await startScript((line) => {
    if (line.startsWith('LIST')) return OFFERED
    if (line.startsWith('INSTCMD')) return 'OK TRACKING 17ce\n'
    if (line.startsWith('GET')) return asked++ % 2 === 0 ? 'PENDING\n' : 'SUCCESS\n'
    return 'OK\n'
  })
  const { commands } = open({ ...options, username: 'u', password: 'p' })
  await commands?.ups?.reboot?.()
  await commands?.ups?.shutdown?.()
  await commands?.ups?.resetGroup?.(2)
  await commands?.ups?.testBattery?.()
  await commands?.['power-switch']?.set?.(1, false)
  await commands?.['power-switch']?.reset?.(2)
  expect(heard.filter((line) => line.startsWith('INSTCMD'))).toEqual([
    'INSTCMD "ups" "shutdown.return"',
    'INSTCMD "ups" "load.off"',
    'INSTCMD "ups" "outlet.2.load.cycle"',
    'INSTCMD "ups" "test.battery.start.quick"',
    'INSTCMD "ups" "outlet.1.load.off"',
    'INSTCMD "ups" "outlet.2.load.cycle"',
  ])
  expect(heard.slice(0, 2)).toEqual(['USERNAME "u"', 'PASSWORD "p"'])
})

test('a connection that ends after the order leaves it unknown, and it is not ordered again', async () => {
  const { heard, options } = await startScript((line) =>
    line.startsWith('INSTCMD') ? undefined : line.startsWith('LIST') ? OFFERED : 'OK\n',
  )
  await expect(open(options).commands?.ups?.reboot?.()).rejects.toThrow(
    'Nobody knows whether the UPS did shutdown.return: the connection to upsd ended before it said so.',
  )
  expect(heard.filter((line) => line.startsWith('INSTCMD'))).toHaveLength(1)
})

test('whatever answers there, a reading ends: with its reason, or with the time', async () => {
  const endless = await startScript(() => 'x'.repeat(400_000))
  await expect(open(endless.options).read(soon())).rejects.toThrow('says more than upsd would')
  const silent = await startScript(() => '')
  await expect(open(silent.options).read(AbortSignal.timeout(50))).rejects.toThrow('Nothing answers at')
  const other = await startScript(() => 'HTTP/1.1 400 Bad Request\r\n\r\n')
  await expect(open(other.options).read(soon())).rejects.toThrow('is not upsd')
  await expect(open({ host: '127.0.0.1', port: 1 }).test(soon())).rejects.toThrow('Nothing listens at 127.0.0.1:1.')
})

test('words of upsd may hold blanks, quotes and backslashes', () => {
  expect(wordsOf('VAR ups device.model "Smart \\"UPS\\" C:\\\\x"')).toEqual([
    'VAR',
    'ups',
    'device.model',
    'Smart "UPS" C:\\x',
  ])
  expect(wordsOf('VAR ups x ""')).toEqual(['VAR', 'ups', 'x', ''])
})
