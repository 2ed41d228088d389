import { startTransition, useEffect, useState } from 'react'
import { useOpenDevice } from '#console/deviceParts/openDevice.ts'
import { useIsQuiet } from '#console/lib/call/whenQuiet.ts'
import { useOnTime } from '#console/lib/time/time.ts'
import { useLocation } from '#console/router/Router.tsx'
import type { DeviceSettingsView } from '#contract/http/devices/setup.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'
import { useDayPlan } from '../display/DayPlanForm.tsx'
import { withoutPlanOf } from '../display/planOfView.ts'
import { useTurnOff } from '../display/TurnOffForm.tsx'
import type { Readings } from '../read/readings.ts'
import type { SetupSections } from '../read/setupSections.ts'
import type { Unsaved } from '../section/unsavedSections.ts'
import { useChosenNumber } from './NumberedForms.tsx'
import { RightNow } from './RightNow.tsx'
import { SectionList } from './SectionList.tsx'
import { SetupSection } from './SetupSection.tsx'
import { sectionState } from './sectionStates.ts'
import { listedSections, sectionAt } from './setupList.ts'
import { useShownControl } from './useShownControl.ts'
import { WeekAhead } from './WeekAhead.tsx'

interface SetupColumnsProps {
  readonly sections: SetupSections
  readonly view: DeviceSettingsView
  readonly readings: Readings
  readonly unsaved: Unsaved
}

/** The list of sections, the one that is shown, and what the display makes of them all. */
export function SetupColumns({ sections, view, readings, unsaved }: SetupColumnsProps) {
  const { modelId } = useOpenDevice()
  const { anchor } = useLocation()
  const columns = useShownControl()
  const displays = useChosenNumber('Display', sections.displays)
  const sensors = useChosenNumber('Sensor', sections.ambientSensors)
  const turnOff = useTurnOff(view)
  const dayPlan = useDayPlan(view)
  const minute = useOnTime((moment) => moment.toISOString().slice(0, 16))
  const now = new Date(`${minute}Z`)
  const listed = listedSections(sections)
  const shown = sectionAt(anchor, listed)
  const isWhole = useWhole(shown?.key)
  if (!shown) return null

  const display = displays.shown
  const otherwise = display
    ? withoutPlanOf(view, readings, display, now)
    : { isAutomatic: false, backlightPercent: null }
  const forms = { sections, view, readings, displays, sensors, turnOff, dayPlan }
  return (
    <div className="setup-columns" ref={columns}>
      <SectionList
        {...{ listed, shown }}
        isFixed={hasFixedSetup(modelId)}
        stateOf={(section) => sectionState(section, { sections, view, readings, unsaved })}
      />
      <div className="setup-section">
        {listed.map((section) => (
          // A section that is not shown keeps its changes.
          <div key={section.key} hidden={section !== shown}>
            {(section === shown || isWhole) && <SetupSection section={section} {...forms} />}
          </div>
        ))}
      </div>
      <div className="setup-aside">
        {display && (
          <WeekAhead
            {...{ view, otherwise, now }}
            offTimes={turnOff.values}
            dayPlan={dayPlan.values}
            displayName={displays.items.length > 1 ? `Display ${display.number}` : undefined}
            isUnsaved={turnOff.isChanged || dayPlan.isChanged}
          />
        )}
        <RightNow {...{ view, readings, display, otherwise, now }} hasUps={sections.hasUps} />
      </div>
    </div>
  )
}

/** The other sections are drawn once the page is quiet, or when somebody opens another than the first. */
function useWhole(key: string | undefined): boolean {
  const [first] = useState(key)
  const [isWhole, setWhole] = useState(false)
  const isQuiet = useIsQuiet()
  useEffect(() => {
    if (isQuiet) startTransition(() => setWhole(true))
  }, [isQuiet])
  if (!isWhole && key !== first) setWhole(true)
  return isWhole
}
