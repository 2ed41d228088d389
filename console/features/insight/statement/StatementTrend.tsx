import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import { percentText, shortMonthText } from '#domain/statement/statementText.ts'

interface Props extends Pick<LightStatement, 'trend'> {
  readonly target: number | undefined
}

/** The columns begin above zero, so that hundredths of a percent can be told apart; the foot says where. */
export function StatementTrend({ trend, target }: Props) {
  const known = [...trend.flatMap((one) => one.availabilityHundredths ?? []), ...(target === undefined ? [] : [target])]
  const floor = Math.max(0, Math.floor((Math.min(10_000, ...known) - 50) / 100) * 100)
  const heightOf = (value: number) => `${(100 * (value - floor)) / Math.max(1, 10_000 - floor)}%`
  return (
    <>
      <div
        className="statement-trend"
        role="img"
        aria-label={trend.map((one) => `${one.month}: ${percentText(one.availabilityHundredths)}`).join(', ')}
      >
        {trend.map(({ month, availabilityHundredths: value }) => (
          <div key={month} title={`${shortMonthText(month)}: ${percentText(value)}`}>
            <div>
              {value !== null && <i style={{ height: heightOf(value) }} />}
              {target !== undefined && <u style={{ bottom: heightOf(target) }} />}
            </div>
            <span>{shortMonthText(month)}</span>
            <b data-missed={(target !== undefined && value !== null && value < target) || undefined}>
              {value === null ? '–' : (value / 100).toFixed(2)}
            </b>
          </div>
        ))}
      </div>
      <p className="statement-foot">
        Columns begin at {floor / 100} %{target !== undefined && `; the line is the target of ${percentText(target)}`}.
      </p>
    </>
  )
}
