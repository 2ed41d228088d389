import type { Fault } from './fault.ts'

export const DEVICE_FAULTS: readonly Fault[] = [
  {
    name: 'What a device could not send is forgotten before the server has it',
    file: 'device/agent/store/Outbox.ts',
    replace: '      this.#backlogPackets++\n',
    by: '      this.#backlogPackets++\n      void store.remove(entries)\n',
    foundBy: ['device/agent/store/unsent.test.ts', 'device/agent/link/lossyLink.test.ts'],
  },
  {
    name: 'A new client that ends before it was healthy stays',
    file: 'device/launcher/Supervisor.ts',
    replace: '    if (versions.isConfirmed(trial.updateId)) {\n',
    by: '    if (!isLate) {\n',
    foundBy: ['device/launcher/launcher.test.ts'],
  },
  {
    name: 'A release in whose trial the power goes is tried for ever',
    file: 'device/launcher/InstalledVersions.ts',
    replace: 'attempts: attempts + 1',
    by: 'attempts',
    foundBy: [
      { file: 'device/testing/updateKills.test.ts', title: 'in whose trial the power goes three times' },
      'device/launcher/launcher.test.ts',
    ],
  },
  {
    name: 'A device goes back to any release that was ever signed',
    file: 'device/agent/updates/UpdateInstaller.ts',
    replace: 'if (this.#notes.hasRun(offer.version) || at.hasRun(offer.version)) return',
    by: 'if (this.#notes.hasRun(offer.version) || at.hasRun(offer.version) || offer.backSignature === undefined) return',
    foundBy: ['device/agent/updates/UpdateInstaller.test.ts'],
  },
  {
    name: 'Full reports come late, so that one lost packet is silence',
    file: 'device/agent/reporting/reporter.ts',
    replace: 'REPORT_PERIOD_MS - EARLY_MS',
    by: 'REPORT_PERIOD_MS + EARLY_MS',
    foundBy: ['device/agent/reporting/reporter.test.ts', 'device/agent/DeviceAgent.test.ts'],
  },
  {
    name: 'A device tells each breath of its processor',
    file: 'domain/catalogue/noise.ts',
    replace: '  cpu_temp: { absolute: 3, relative: 0 },\n',
    by: '',
    foundBy: ['device/agent/reporting/changes.test.ts', 'device/agent/reporting/reporter.test.ts'],
  },
  {
    name: 'The last percent of backlight goes out unreported',
    file: 'device/agent/reporting/changes.ts',
    replace: '  if (LIGHT_FIELDS.has(field.name) && value > 0 !== reported > 0) return true\n',
    by: '',
    foundBy: ['device/agent/reporting/changes.test.ts'],
  },
  {
    name: 'A power command that comes again after a restart is carried out again',
    file: 'device/agent/store/deviceStore.ts',
    replace: 'statements.recordCommand.run(deviceId, commandId, forgetAt.getTime()).changes) === 1',
    by: 'statements.recordCommand.run(deviceId, commandId, forgetAt.getTime()).changes) >= 0',
    foundBy: [{ campaign: 'agent-kills' }],
  },
  {
    name: 'In off times the ambient light lights displays',
    file: 'device/agent/settings/Steering.ts',
    replace: '    if (isDark) return hasSwitched\n',
    by: '',
    foundBy: ['device/agent/settings/Steering.test.ts'],
  },
  {
    name: 'A pretend device that is away for good has never said anything',
    file: 'device/simulator/simulator.ts',
    replace: '  link.start()\n',
    by: '',
    foundBy: ['device/simulator/simulator.test.ts'],
  },
]
