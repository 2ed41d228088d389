import { GROUND_SOURCES } from './base/groundSources.ts'
import './mapNote.css'

/** It stands where a map will be: the list beside it can be used before that is loaded. */
export const MapPlate = () => (
  <div className="map-plate pins-map" aria-busy>
    <p className="base-map-note">{GROUND_SOURCES}</p>
  </div>
)
