import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { showValue } from '#domain/catalogue/displayRules.ts'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import { isLasting } from '#domain/darkness/consequence.ts'
import { isNumber, type Readings, wireName } from '../read/readings.ts'
import {
  type Numbered,
  nameOfSection,
  type RelaySection,
  type RouterSection,
  type SwitchSection,
} from '../read/setupSections.ts'
import { PowerButton } from './PowerButton.tsx'
import { PowerToggle } from './PowerToggle.tsx'
import {
  networkSwitchReset,
  powerSwitchReset,
  powerSwitchSet,
  relayReset,
  relaySet,
  routerPortReset,
  routerReset,
  routerSet,
  upsActions,
} from './powerActions.ts'

function useTarget(number: number, label: string) {
  const { id: deviceId, name: deviceName } = useOpenDevice()
  return { deviceId, deviceName, number, label }
}

export function Ups({ readings }: { readonly readings: Readings }) {
  const { id, name } = useOpenDevice()
  const actions = upsActions(id, name)
  return (
    <>
      <dl className="setup-facts ups-facts">
        <Reported name="u_status" readings={readings} />
        <Reported name="u_battery_charge" readings={readings} />
        <Reported name="u_battery_runtime" readings={readings} />
        <Reported name="u_battery_test_result" readings={readings} />
        <Reported name="u_battery_test_at" readings={readings} />
      </dl>
      <div className="power-buttons">
        {actions.map(({ name: button, action }) =>
          isLasting(action.command) ? null : <PowerButton key={button} name={button} of="UPS" action={action} />,
        )}
      </div>
      <div className="power-lasting">
        {actions.map(({ name: button, action }) =>
          isLasting(action.command) ? (
            <PowerButton key={button} name={button} of="UPS" action={action} isLasting />
          ) : null,
        )}
      </div>
    </>
  )
}

function Reported({
  name,
  label,
  readings,
}: {
  readonly name: string
  readonly label?: string
  readonly readings: Readings
}) {
  const { modelId } = useOpenDevice()
  const field = NUMBERED_FIELDS.find(({ wireName: its }) => its === name)
  if (!field) return null
  const { text, unit, isKnown } = showValue(field, readings.get(name)?.value, modelId)
  return (
    <div>
      <dt>{label ?? field.field.label}</dt>
      <dd className={isKnown ? undefined : 'dim'}>
        {text}
        {unit && ` ${unit}`}
      </dd>
    </div>
  )
}

interface SectionsProps<Section> {
  readonly sections: readonly Section[]
  readonly readings: Readings
}

export function NetworkSwitches({ sections }: Pick<SectionsProps<SwitchSection>, 'sections'>) {
  return sections.map((section) => <NetworkSwitch key={section.number} section={section} />)
}

export function PowerSwitches({ sections, readings }: SectionsProps<Numbered>) {
  return sections.map((section) => <PowerSwitch key={section.number} section={section} readings={readings} />)
}

export function Routers({ sections, readings }: SectionsProps<RouterSection>) {
  return sections.map((section) => <Router key={section.number} section={section} readings={readings} />)
}

export function Relays({ sections, readings }: SectionsProps<RelaySection>) {
  return sections.map((section) => <Relay key={section.number} section={section} readings={readings} />)
}

function NetworkSwitch({ section }: { readonly section: SwitchSection }) {
  const { number, resetLabel } = section
  const name = nameOfSection('Network switch', section)
  const target = useTarget(number, name)
  return (
    <div className="power-row">
      <span className="power-name">{name}</span>
      <PowerButton name={resetLabel || 'Reset'} of={name} action={networkSwitchReset(target)} />
    </div>
  )
}

interface SectionProps<Section> {
  readonly section: Section
  readonly readings: Readings
}

function PowerSwitch({ section: { number, label }, readings }: SectionProps<Numbered>) {
  const target = useTarget(number, label)
  return (
    <div className="power-row">
      <PowerToggle
        name={label}
        isOn={isNumber(readings, wireName('power-switch', 1, `port${number}_status`), 1)}
        actionFor={(isOn) => powerSwitchSet(target, isOn)}
      />
      <PowerButton name="Reset" of={label} action={powerSwitchReset(target)} />
    </div>
  )
}

function Router({ section, readings }: SectionProps<RouterSection>) {
  const { number, resetLabel, portLabels } = section
  const name = nameOfSection('Router', section)
  const target = useTarget(number, name)
  return (
    <fieldset className="power-group" aria-label={name}>
      <div className="power-row">
        <PowerToggle
          name={name}
          // 0 means On here and only here (rules/display 9).
          isOn={isNumber(readings, wireName('router-relay', number, 'relay_status'), 0)}
          actionFor={(isOn) => routerSet(target, isOn)}
        />
        <PowerButton name={resetLabel || 'Reset'} of={name} action={routerReset(target)} />
      </div>
      <div className="power-row">
        <dl className="power-ports">
          {portLabels.map((portLabel, index) => (
            <Reported
              key={wireName('router-relay', number, `port${index + 1}_status`)}
              name={wireName('router-relay', number, `port${index + 1}_status`)}
              label={portLabel}
              readings={readings}
            />
          ))}
        </dl>
        <PowerButton name="Reset ports" of={name} action={routerPortReset(target)} />
      </div>
    </fieldset>
  )
}

function Relay({ section, readings }: SectionProps<RelaySection>) {
  const { number, resetLabel, ports } = section
  const name = nameOfSection('Relay', section)
  const target = useTarget(number, name)
  return (
    <fieldset className="power-group" aria-label={name}>
      <h3>{name}</h3>
      {ports.map(({ port, label: portLabel, canSwitch }) => {
        const portTarget = { ...target, port, label: portLabel }
        return (
          <div key={port} className="power-row">
            {canSwitch ? (
              <PowerToggle
                name={portLabel}
                isOn={isNumber(readings, wireName('relay', number, `port${port}_status`), 1)}
                actionFor={(isOn) => relaySet(portTarget, isOn)}
              />
            ) : (
              <span className="power-name">{portLabel}</span>
            )}
            <PowerButton name={resetLabel || 'Reset'} of={portLabel} action={relayReset(portTarget)} />
          </div>
        )
      })}
    </fieldset>
  )
}
