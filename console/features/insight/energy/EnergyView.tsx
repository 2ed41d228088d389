import { Headline } from '#console/ui/ledger/Headline.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import type { Energy } from '#contract/http/insight/energy.ts'
import type { EnergySum } from '#contract/http/insight/energySum.ts'
import { isCounted, measuredHundredths } from '#domain/energy/energyFigures.ts'
import { costText, gramsText, hoursText, kwhText } from '#domain/energy/energyText.ts'
import { monthText, percentText } from '#domain/statement/statementText.ts'
import { EnergyBars } from './EnergyBars.tsx'
import { EnergyBasis } from './EnergyBasis.tsx'
import { EnergyDevices } from './EnergyDevices.tsx'
import { EnergyLedger } from './EnergyLedger.tsx'

interface Props {
  readonly energy: Energy
  readonly onPeriod: (period: string) => void
  readonly onSetFactors: (() => void) | undefined
}

export function EnergyView({ energy, onPeriod, onSetFactors }: Props) {
  const { customerName, period, subject, devices, total, parts } = energy
  const isYear = period.length === 4
  const periodName = isYear ? period : monthText(period)
  if (devices.length === 0)
    return (
      <Panel>
        <EmptyNote title={`${customerName} had no devices in ${periodName}`}>
          <p>A device counts from the day it was added, while it is paired and has a display.</p>
        </EmptyNote>
      </Panel>
    )
  if (!isCounted(total.figures))
    return (
      <Panel>
        <EmptyNote title={`Nothing is counted in ${periodName} yet`}>
          <p>A day is counted soon after it ends at the device.</p>
        </EmptyNote>
      </Panel>
    )
  return (
    <div className="stacked">
      <Panel
        title={`${customerName}, ${periodName}`}
        meta={`${subject}: ${devices.length} ${devices.length === 1 ? 'device' : 'devices'}`}
        isPadded
      >
        <Headline figures={figuresOf(total)} />
      </Panel>
      <div className="stacked-two">
        <Panel
          title={isYear ? 'Each month' : 'Each day'}
          meta={
            !isYear && (
              <PlainButton isQuiet onClick={() => onPeriod(period.slice(0, 4))}>
                Show {period.slice(0, 4)}
              </PlainButton>
            )
          }
          isPadded
        >
          <EnergyBars parts={parts} onPart={isYear ? onPeriod : undefined} />
        </Panel>
        <Panel title="Against always full" isPadded>
          <EnergyLedger figures={total.figures} />
        </Panel>
      </div>
      <Panel title="Devices" meta="Most energy first">
        <EnergyDevices devices={devices} />
      </Panel>
      <EnergyBasis {...{ energy, onSetFactors }} />
    </div>
  )
}

function figuresOf({ figures, cost, savedCost, unpriced, grams, savedGrams }: EnergySum) {
  const measured = `${percentText(measuredHundredths(figures))} measured, the rest estimated`
  const saved = grams === null ? 'figure of the country unknown' : `${gramsText(savedGrams)} saved`
  return [
    { name: 'Used', value: kwhText(figures.used), note: measured },
    {
      name: 'Saved',
      value: kwhText(figures.savedTotal),
      note: savedCost.length === 0 ? 'estimated' : `${costText(savedCost)}, estimated`,
    },
    { name: 'Cost', value: costText(cost), note: costNote(figures.used, unpriced) },
    { name: 'CO₂', value: gramsText(grams), note: saved },
    { name: 'Unknown', value: hoursText(figures.unknownSeconds), note: 'of displays that reported nothing' },
  ]
}

function costNote(used: number, unpriced: number): string {
  if (used > 0 && unpriced === used) return 'no price is set'
  return unpriced > 0 ? `without ${kwhText(unpriced)} before the first price` : 'at the prices of each day'
}
