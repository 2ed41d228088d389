import type { Fault } from './fault.ts'

const COMPOSED = 'device/hardware/composed/composedHardware.test.ts'

export const DRIVER_FAULTS: readonly Fault[] = [
  {
    name: 'The console has a device connect wherever it likes',
    file: 'domain/drivers/consoleOptions.ts',
    replace: 'if (address && networks.some((network) => isWithin(address, network))) continue',
    by: 'if (address && networks) continue',
    foundBy: [COMPOSED, 'server/features/devices/components/deviceDrivers.test.ts'],
  },
  {
    name: 'The console starts programs on a device',
    file: 'domain/drivers/consoleOptions.ts',
    replace: "if (description.chosenBy !== 'console') {",
    by: "if (description.name === '') {",
    foundBy: [COMPOSED],
  },
  {
    name: 'A secret follows a driver to another address',
    file: 'domain/drivers/keptSecrets.ts',
    replace: 'from: destination(description, before.options),',
    by: 'from: destination(description, asked),',
    foundBy: ['server/features/devices/components/deviceDrivers.test.ts'],
  },
  {
    name: 'What a reading said before a command counts as what came of it',
    file: 'device/hardware/composed/DriverSource.ts',
    replace: '      if (afterCommands < this.#commands) return\n',
    by: '',
    foundBy: [COMPOSED],
  },
  {
    name: 'What does not answer keeps its last reading',
    file: 'device/hardware/composed/DriverSource.ts',
    replace: '  #fail(reason: string): void {\n    this.#newest = undefined\n',
    by: '  #fail(reason: string): void {\n',
    foundBy: [COMPOSED],
  },
  {
    name: 'A value that a driver still holds is told as new every minute',
    file: 'device/agent/reporting/reporter.ts',
    replace: '    if (share.held && told.get(key) === share.held) return\n',
    by: '',
    foundBy: ['device/agent/reporting/reporter.test.ts'],
  },
  {
    name: 'What a program of a driver has started lives on',
    file: 'device/hardware/exec/runProgram.ts',
    replace: 'process.kill(-pid,',
    by: 'process.kill(pid,',
    foundBy: ['device/hardware/exec/execDriver.test.ts'],
  },
  {
    name: 'A path of the totem is told to operators',
    file: 'device/hardware/composed/DriverSource.ts',
    replace: "words.replaceAll(PATH, '(its path)')",
    by: 'words',
    foundBy: [COMPOSED],
  },
  {
    name: 'Half of what went over a router is told as all of it',
    file: 'device/hardware/snmp/snmpDriver.ts',
    replace: 'told.get(oid) ?? Number.NaN',
    by: 'told.get(oid) ?? 0',
    foundBy: ['device/hardware/snmp/snmp.test.ts'],
  },
  {
    name: 'A relay goes back to how it started when its driver is opened anew',
    file: 'device/hardware/gpio/gpioDriver.ts',
    replace: 'wantedOf.get(placeOf(field)) ?? isOnFirst',
    by: 'isOnFirst',
    foundBy: ['device/hardware/gpio/gpio.test.ts'],
  },
  {
    name: 'Frost in a display is told as heat',
    file: 'device/hardware/nec/necDriver.ts',
    replace: '((halves << 16) >> 16) / 2',
    by: 'halves / 2',
    foundBy: ['device/hardware/nec/nec.test.ts'],
  },
  {
    name: 'A level of a Philips display changes the rest of its picture',
    file: 'device/hardware/philipsSicp/sicpDriver.ts',
    replace: '[percent, ...others]',
    by: '[percent, ...others.map(() => percent)]',
    foundBy: ['device/hardware/philipsSicp/sicp.test.ts'],
  },
  {
    name: 'A client that hangs is left hanging',
    file: 'device/launcher/Supervisor.ts',
    replace: '      void stopChild(child, gone)\n',
    by: '',
    foundBy: ['device/launcher/signsOfLife.test.ts'],
  },
]
