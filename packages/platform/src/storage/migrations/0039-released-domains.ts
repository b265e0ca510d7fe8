import type { Migration } from '../migrate.ts'

/** A host name that no route is on belongs to no account any more. Those that were kept until now are given back. */
export const releasedDomains: Migration = {
  id: '0039-released-domains',
  statements: [
    `DELETE FROM domain_hostnames
      WHERE NOT EXISTS (SELECT 1 FROM domain_routes r WHERE r.hostname = domain_hostnames.hostname)`,
  ],
}
