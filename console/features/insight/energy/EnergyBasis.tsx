import { dayText } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { HowCounted } from '#console/ui/ledger/HowCounted.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import type { Energy } from '#contract/http/insight/energy.ts'
import { priceText } from './basisText.ts'

interface Props {
  readonly energy: Energy
  /** Absent for those who may not set figures. */
  readonly onSetFactors: (() => void) | undefined
}

/** It says by which rules and figures the page was counted. */
export function EnergyBasis({ energy: { customerId, rules, basis }, onSetFactors }: Props) {
  const { tariffs, areTariffsOwn, panels, country, factor } = basis
  return (
    <HowCounted rules={rules}>
      <dl className="energy-basis">
        <dt>Prices</dt>
        {tariffs.length === 0 && <dd>None is set, so cost is unknown.</dd>}
        {tariffs.map((tariff) => (
          <dd key={tariff.validFrom}>
            {priceText(tariff)} a kWh from {dayText(tariff.validFrom)}
          </dd>
        ))}
        {tariffs.length > 0 && !areTariffsOwn && <dd>These are of every customer without prices of its own.</dd>}
        <dt>Power of displays</dt>
        {panels.map(({ modelId, name, power, isOwn }) => (
          <dd key={modelId}>
            {name}: {power.fullWatts} W at full level, {power.minimumWatts} W at the lowest, {power.darkWatts} W dark
            {isOwn ? '' : ' (usual figures, not of a data sheet)'}
          </dd>
        ))}
        <dt>CO₂ of electricity</dt>
        {factor ? (
          <dd>
            {country?.name}, {factor.year}: {factor.gramsPerKwh} g a kWh. {factor.source}
          </dd>
        ) : (
          <dd>
            {country ? `Unknown: no figure of ${country.name} is set.` : 'Unknown: the customer has no country.'}{' '}
            {country && onSetFactors && (
              <PlainButton isQuiet onClick={onSetFactors}>
                Add a figure
              </PlainButton>
            )}
            {!country && onSetFactors && <Link to={address('/customers', { shown: customerId })}>Set its country</Link>}
          </dd>
        )}
      </dl>
    </HowCounted>
  )
}
