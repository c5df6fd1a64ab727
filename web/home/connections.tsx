import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ChannelState } from '../chats/channels/channel-state.tsx'
import { type Channel, channelsOptions } from '../data/channels.ts'
import { type Installation, installationsOptions } from '../data/installations.ts'
import { InstallationState } from '../integrations/installed/installed-list.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { RelativeTime } from '../parts/texts/relative-time.tsx'
import classes from './connections.module.css'
import { EmptyLine, HomeSection } from './home-section.tsx'

const FEW = 5

/** The state of integrations and channels for administrators, failing ones first. */
export function Connections() {
  const { t } = useTranslation()
  const installations = useQuery(installationsOptions)
  const channels = useQuery(channelsOptions)
  return (
    <>
      <HomeSection title={t('nav.integrations')} all={{ to: '/integrations', label: t('home.all') }}>
        <Loaded query={installations} rows={2}>
          {(all) =>
            all.length === 0 ? <EmptyLine>{t('home.no_integrations')}</EmptyLine> : <Integrations all={all} />
          }
        </Loaded>
      </HomeSection>
      <HomeSection title={t('nav.channels')} all={{ to: '/settings/channels', label: t('home.all') }}>
        <Loaded query={channels} rows={1}>
          {(all) =>
            all.length === 0 ? <EmptyLine>{t('home.no_channels')}</EmptyLine> : <Channels all={all} />
          }
        </Loaded>
      </HomeSection>
    </>
  )
}

const inTrouble = (one: Installation) => (one.is_active ? (one.grants.length === 0 ? 1 : 2) : 0)

function Integrations({ all }: { all: Installation[] }) {
  const { t } = useTranslation()
  const sorted = all.toSorted((one, other) => inTrouble(one) - inTrouble(other))
  return (
    <ul className={classes.rows}>
      {sorted.slice(0, FEW).map((one) => (
        <Row
          key={one.integration.id}
          name={
            <Link
              to="/integrations/installed/$clientId"
              params={{ clientId: one.integration.id }}
              title={one.integration.name}
            >
              {one.integration.name}
            </Link>
          }
          state={<InstallationState of={one} />}
          used={one.last_used_at}
          never={t('home.never_used')}
        />
      ))}
    </ul>
  )
}

const isStill = ({ state, health }: Channel) => (state === 'stopped' ? 0 : health.failures > 0 ? 1 : 2)

function Channels({ all }: { all: Channel[] }) {
  const { t } = useTranslation()
  const sorted = all.toSorted((one, other) => isStill(one) - isStill(other))
  return (
    <ul className={classes.rows}>
      {sorted.slice(0, FEW).map((one) => (
        <Row
          key={one.id}
          name={
            <Link to="/settings/channels/$channelId" params={{ channelId: one.id }} title={one.name}>
              {one.name}
            </Link>
          }
          state={<ChannelState of={one} />}
          used={one.health.last_success_at}
          never={t('home.never_delivered')}
        />
      ))}
    </ul>
  )
}

interface RowProps {
  name: ReactNode
  state: ReactNode
  used: number | null
  never: string
}

function Row({ name, state, used, never }: RowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.name}>{name}</span>
      {state}
      <span className={classes.used}>{used === null ? never : <RelativeTime at={used} />}</span>
    </li>
  )
}
