import { Fragment } from 'react'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Headline } from '#console/ui/ledger/Headline.tsx'
import { HowCounted } from '#console/ui/ledger/HowCounted.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import { energyLines } from '#domain/energy/energyText.ts'
import { moneyText } from '#domain/statement/statementTerms.ts'
import { monthText, percentText, ruleLine } from '#domain/statement/statementText.ts'
import { StatementDays } from './StatementDays.tsx'
import { StatementDevices } from './StatementDevices.tsx'
import { StatementLedger } from './StatementLedger.tsx'
import { StatementTrend } from './StatementTrend.tsx'

/** It shows the figures in the order of the document. */
export function StatementView({ statement }: { readonly statement: LightStatement }) {
  const { customerName, month, isOver, subject, devices, rules } = statement
  if (devices.length === 0)
    return (
      <Panel>
        <EmptyNote title={`${customerName} was owed no light in ${monthText(month)}`}>
          <p>A device counts from the minute it was added, while it is paired and has a display.</p>
        </EmptyNote>
      </Panel>
    )
  return (
    <div className="stacked">
      <div className="stacked-two">
        <Panel
          title={`${customerName}, ${monthText(month)}`}
          meta={`${subject}: ${devices.length} ${devices.length === 1 ? 'device' : 'devices'}${isOver ? '' : ', month not over'}`}
          isPadded
        >
          <Headline figures={figuresOf(statement)} />
          <StatementLedger total={statement.total} />
        </Panel>
        <div className="statement-charts">
          <Panel title="Each day" isPadded>
            <StatementDays days={statement.days} />
          </Panel>
          <Panel title="Availability of twelve months" isPadded>
            <StatementTrend trend={statement.trend} target={statement.terms?.targetHundredths} />
          </Panel>
        </div>
      </div>
      <Panel title="Devices" meta="Most unplanned darkness first">
        <StatementDevices statement={statement} />
      </Panel>
      {statement.lightRules && statement.lightRules.length > 0 && (
        <Panel title="Light rules" meta="Hours : minutes of all devices" isPadded>
          <dl className="statement-lines">
            {statement.lightRules.map((rule) => (
              <Fragment key={rule.id}>
                <dt>
                  <Link to={address('/light-rules', { shown: rule.id, month })}>{rule.name}</Link>
                </dt>
                <dd>
                  {ruleLine(rule)}
                  <small>{rule.source}</small>
                </dd>
              </Fragment>
            ))}
          </dl>
        </Panel>
      )}
      {statement.energy && (
        <Panel
          title="Energy"
          meta={
            <Link to={address('/energy', { customerId: statement.customerId, period: month.slice(0, 4) })}>
              Show {month.slice(0, 4)}
            </Link>
          }
          isPadded
        >
          <dl className="statement-lines">
            {energyLines(statement.energy).map(({ name, value }) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
          </dl>
        </Panel>
      )}
      <HowCounted rules={rules} />
    </div>
  )
}

function figuresOf({ availabilityHundredths, terms, isTargetMet, credit, total }: LightStatement) {
  const unknown = total.owed === 0 ? null : Math.ceil((10_000 * total.unknown) / total.owed)
  const target = terms && {
    ...{ name: 'Target', value: percentText(terms.targetHundredths), isMissed: isTargetMet === false },
    note: isTargetMet === null ? 'nothing is known' : isTargetMet ? 'met' : 'missed',
  }
  return [
    {
      ...{ name: 'Availability', value: percentText(availabilityHundredths) },
      note: terms?.unknownCounts === 'asDark' ? 'unknown time counts as dark' : 'of known time',
    },
    ...(target ? [target] : []),
    { name: 'Unknown', value: percentText(unknown), note: 'of the light owed' },
    ...(credit
      ? [{ name: 'Credit', value: moneyText(credit.minor, credit.currency), note: 'sum of the devices' }]
      : []),
  ]
}
