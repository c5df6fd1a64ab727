import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  acceptIncoming,
  type IncomingLead,
  incomingOfOptions,
  sameContactsOptions,
} from '../../data/incoming-leads.ts'
import { useAction } from '../forms/use-action.ts'
import { Callout } from '../layout/callout.tsx'
import classes from './incoming.module.css'
import { IncomingButtons } from './incoming-buttons.tsx'
import { detailOf } from './incoming-details.ts'
import { RecordLink } from './record-link.tsx'
import { type IsIncomingAllowed, useIncomingRights } from './use-incoming-rights.ts'

interface IncomingNoticeProps {
  lead: { id: number; name: string }
  isAllowed: IsIncomingAllowed
}

/** Says that a lead waits, where it comes from and who has the same telephone, with the buttons that end it. */
export function IncomingNotice({ lead, isAllowed }: IncomingNoticeProps) {
  const { t } = useTranslation()
  const { data: item } = useQuery(incomingOfOptions(lead.id))
  if (!item) return null
  const category = t(`incoming.category.${item.category}`)
  return (
    <div className={classes.notice} data-incoming>
      <Callout
        tone="info"
        title={t('incoming.title')}
        actions={<IncomingButtons item={item} name={lead.name} isAllowed={isAllowed} />}
      >
        <p>{t('incoming.from_source', { category, source: item.source_name })}</p>
        <p>{detailOf(item) ?? t('incoming.wait')}</p>
        <SameContacts item={item} isAllowed={isAllowed} />
      </Callout>
    </div>
  )
}

/** Contacts of the lists with the same telephone or e-mail, each with a button that accepts the lead for it. */
function SameContacts({ item, isAllowed }: { item: IncomingLead; isAllowed: IsIncomingAllowed }) {
  const { t } = useTranslation()
  const own = item._embedded.contacts[0]?.id ?? 0
  const { useContact } = useIncomingRights(item, isAllowed)
  const { data: same = [] } = useQuery({ ...sameContactsOptions(own), enabled: useContact })
  const accept = useAction(acceptIncoming, t('incoming.accepted'))
  if (!useContact || same.length === 0) return null
  return (
    <div className={classes.same}>
      <p>{t('incoming.same')}</p>
      <ul>
        {same.map(({ id, name }) => (
          <li key={id}>
            <RecordLink collection="contacts" id={id}>
              {name || `#${id}`}
            </RecordLink>
            <Button
              size="compact-xs"
              variant="default"
              loading={accept.pending}
              aria-label={t('incoming.use_of', { name })}
              onClick={() => accept.run({ item, contact_id: id })}
            >
              {t('incoming.use')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
