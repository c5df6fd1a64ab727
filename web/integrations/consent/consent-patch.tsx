import type { Consent } from '../../data/consent.ts'
import { IconTile } from '../../parts/layout/icon-tile.tsx'
import { initials } from '../../parts/texts/initials.ts'
import classes from './consent.module.css'

interface ConsentPatchProps {
  integration: Consent['integration']
  account: Consent['accounts'][number] | undefined
}

/** An illustration: a cable from the integration to the account. */
export function ConsentPatch({ integration, account }: ConsentPatchProps) {
  return (
    <div className={classes.patch} aria-hidden>
      <IconTile name={integration.name} url={integration.icon_url} size="large" />
      <svg
        aria-hidden="true"
        className={classes.cable}
        width="96"
        height="40"
        viewBox="0 0 96 40"
        fill="none"
      >
        <circle cx="9" cy="20" r="7" className={classes.socket} />
        <circle cx="87" cy="20" r="7" className={classes.socket} />
        <path d="M9 20C30 44 66 44 87 20" className={classes.wire} />
        <circle cx="9" cy="20" r="3.2" className={classes.plug} />
        <circle cx="87" cy="20" r="3.2" className={classes.plug} />
      </svg>
      <span className={classes.account}>{initials(account?.name ?? '?')}</span>
    </div>
  )
}
