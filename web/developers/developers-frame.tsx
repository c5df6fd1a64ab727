import { Outlet } from '@tanstack/react-router'
import classes from './developers-frame.module.css'
import { RecordingBar } from './recording-bar.tsx'

/** The frame of the pages for developers. Each of them shows whether requests are recorded. */
export function DevelopersFrame() {
  return (
    <div className={classes.frame}>
      <RecordingBar />
      <div className={classes.page}>
        <Outlet />
      </div>
    </div>
  )
}
