import { useTranslation } from 'react-i18next'
import { usePageTitle } from '../parts/layout/page.tsx'
import { useRight, useSession, useSignedIn } from '../shell/use-session.ts'
import { useDueSections } from '../tasks/sections.ts'
import { TaskDialogs } from '../tasks/task-dialogs.tsx'
import { Connections } from './connections.tsx'
import { DevNote } from './dev-note.tsx'
import { DueTasks } from './due-tasks.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Greeting } from './greeting.tsx'
import classes from './home-page.module.css'
import { MyLeads } from './my-leads.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { StoppedWebhooks } from './stopped-webhooks.tsx'
import { UnreadConversations } from './unread-conversations.tsx'

/** The home page: open work, recent events and leads. */
export function HomePage() {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  const { mode, account } = useSession()
  const seesLeads = useRight('leads', 'view')
  const due = useDueSections({ 'filter[responsible_user_id]': String(user.id) })
  usePageTitle(t('home.title'))
  return (
    <div className={classes.page}>
      <Greeting due={due} />
      {account?.is_admin && <StoppedWebhooks />}
      <FirstSteps />
      <div className={classes.columns}>
        <div className={classes.main}>
          <TaskDialogs>
            <DueTasks sections={due} />
          </TaskDialogs>
          <UnreadConversations />
          <RecentActivity />
        </div>
        <div className={classes.side}>
          {seesLeads && <MyLeads />}
          {account?.is_admin && <Connections />}
          {mode === 'dev' && <DevNote />}
        </div>
      </div>
    </div>
  )
}
