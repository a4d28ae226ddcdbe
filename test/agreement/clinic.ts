/** A clinic whose rows depend on the caller, and who sees which of them: computed here from all rows, without the product's own rules. */

export const schema = `
CREATE CLAIM patient STRING FROM 'https://id.example.org/patient';
CREATE CLAIM teams STRING[];
CREATE CLAIM floor INT FROM 'place', 'floor';
CREATE AGGREGATE Membership (membership_id STRING KEY, member STRING, team STRING);
CREATE AGGREGATE Booking (booking_id STRING KEY, patient STRING, doctor STRING, team STRING, n INT, email STRING AS LAST(data.email))
  VISIBLE WHERE patient = CLAIM(patient) OR HAS_ROLE('reception') OR doctor = CURRENT_USER OR team = ANY (CLAIM(teams))
    OR team IN (SELECT m.team FROM Reg."Membership$Agg" m WHERE m.member = CURRENT_USER);
CREATE AGGREGATE Ward (ward_id STRING KEY, floor INT)
  VISIBLE WHERE NOT (floor = CLAIM(floor)) AND CURRENT_USER IS NOT NULL OR HAS_ROLE('reception');
CREATE AGGREGATE Room (room_id STRING KEY, beds INT);
CREATE COMMAND Enlist (membership_id STRING, member STRING, team STRING);
CREATE EVENT Enlisted (member STRING, team STRING);
CREATE DECISION Enlisting FOR Membership ON COMMAND Enlist EMIT AS SELECT EVENT Enlisted (member := :member, team := :team);
CREATE COMMAND Book (booking_id STRING, patient STRING NULL, doctor STRING NULL, team STRING NULL, n INT, email STRING SENSITIVE);
CREATE EVENT Booked (patient STRING, doctor STRING, team STRING, n INT, email STRING SENSITIVE);
CREATE DECISION Booking FOR Booking ON COMMAND Book
EMIT AS SELECT EVENT Booked (patient := :patient, doctor := :doctor, team := :team, n := :n, email := :email) WHERE :n >= 0;
CREATE COMMAND Rebook (booking_id STRING, by INT);
CREATE DECISION Rebooking FOR Booking ON COMMAND Rebook
STATE AS SELECT n FROM Reg."Booking$Agg" WHERE aggregate_id = :booking_id
EMIT AS SELECT EVENT Booked (n := COALESCE(n, 0) + :by) WHERE COALESCE(n, 0) + :by < 50;
CREATE COMMAND Open (ward_id STRING, floor INT NULL);
CREATE EVENT Opened (floor INT);
CREATE DECISION Opening FOR Ward ON COMMAND Open EMIT AS SELECT EVENT Opened (floor := :floor);
CREATE COMMAND Furnish (room_id STRING, beds INT);
CREATE EVENT Furnished (beds INT);
CREATE DECISION Furnishing FOR Room ON COMMAND Furnish EMIT AS SELECT EVENT Furnished (beds := :beds);
CREATE PROJECTION Invoices VISIBLE WHERE patient = CLAIM(patient) OR HAS_ROLE('accounts') AS
  SELECT booking_id, patient, n FROM Reg."Booking$Agg";
CREATE PROJECTION Shares VISIBLE WHERE patient = CLAIM(patient) OR HAS_ROLE('accounts') AS
  SELECT DISTINCT patient, n FROM Reg."Booking$Agg" ORDER BY patient, n;
CREATE PROJECTION Load VISIBLE TO ALL AS SELECT doctor, COUNT(*) AS bookings FROM Reg."Booking$Agg" GROUP BY doctor;
CREATE PROJECTION Shift VISIBLE WHERE HAS_ROLE('reception') OR EXISTS (SELECT 1 FROM Reg."Membership$Agg" m WHERE m.member = CURRENT_USER)
  AS SELECT room_id, beds FROM Reg."Room$Agg";
`;

type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/** A caller by its credentials; without a subject it sends none. */
export interface Who {
  readonly subject: string | null;
  readonly roles: readonly string[];
  readonly patient?: string;
  readonly teams?: readonly string[];
  readonly floor?: number;
}

export const callers = {
  reception: { subject: 'rita', roles: ['reader', 'reception'] },
  patient: { subject: 'pat', roles: ['reader'], patient: 'p1' },
  other: { subject: 'otto', roles: ['reader'], patient: 'p2', floor: 2 },
  doctor: { subject: 'ada', roles: ['reader'], floor: 1 },
  member: { subject: 'mel', roles: ['reader'] },
  teams: { subject: 'tom', roles: ['reader'], teams: ['blue', 'none'] },
  accounts: { subject: 'ann', roles: ['reader', 'accounts'] },
  absent: { subject: 'abe', roles: ['reader'], patient: 'p9', floor: 9 },
  stranger: { subject: 'sam', roles: ['reader'] },
  anonymous: { subject: null, roles: ['reader'] },
  whole: { subject: 'will', roles: ['reader', 'whole'] },
  admin: { subject: 'root', roles: ['admin'] },
} as const satisfies Readonly<Record<string, Who>>;

export type CallerName = keyof typeof callers;
export const callerNames = Object.keys(callers) as readonly CallerName[]; // keys of a literal

/** The claims of a caller, as its token has them. */
export const claimsOf = ({ patient, teams, floor }: Who): Readonly<Record<string, unknown>> => ({
  ...(patient === undefined ? {} : { 'https://id.example.org/patient': patient }),
  ...(teams === undefined ? {} : { teams }),
  ...(floor === undefined ? {} : { place: { floor } }),
});

/** All rows of the relations that decide. */
export interface Everything {
  readonly memberships: readonly Row[];
}

type Sees = (row: Row, who: Who, all: Everything) => boolean;
const isMember = ({ subject }: Who, { memberships }: Everything, team?: Value): boolean =>
  memberships.some((one) => one['member'] === subject && (team === undefined || one['team'] === team));

const booking: Sees = (row, who, all) =>
  (who.patient !== undefined && row['patient'] === who.patient) ||
  who.roles.includes('reception') ||
  (who.subject !== null && row['doctor'] === who.subject) ||
  (who.teams ?? []).includes(String(row['team'])) ||
  (row['team'] !== null && isMember(who, all, row['team'] ?? null));

const ward: Sees = (row, who) =>
  who.roles.includes('reception') ||
  (who.subject !== null && who.floor !== undefined && row['floor'] !== null && row['floor'] !== who.floor);

const rules: Readonly<Record<string, Sees>> = {
  Booking: booking,
  Ward: ward,
  Invoices: (row, who) =>
    (who.patient !== undefined && row['patient'] === who.patient) || who.roles.includes('accounts'),
  Shares: (row, who) => (who.patient !== undefined && row['patient'] === who.patient) || who.roles.includes('accounts'),
  Shift: (_row, who, all) => who.roles.includes('reception') || isMember(who, all),
};

/** Whether a caller sees a row of a state or a projection. */
export function sees(name: CallerName, relation: string, row: Row, all: Everything): boolean {
  const who: Who = callers[name];
  const isWhole = who.roles.includes('whole') || who.roles.includes('admin');
  return isWhole || (rules[relation]?.(row, who, all) ?? true);
}

/** SET CALLER for the same caller. */
export function setCaller(name: CallerName): string {
  const { subject, roles, patient, teams, floor }: Who = callers[name];
  const texts = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');
  const claims = [
    ...(patient === undefined ? [] : [`patient := '${patient}'`]),
    ...(teams === undefined ? [] : [`teams := (${texts(teams)})`]),
    ...(floor === undefined ? [] : [`floor := ${floor}`]),
  ];
  const said = claims.length === 0 ? '' : ` CLAIMS (${claims.join(', ')})`;
  return `SET CALLER ${subject === null ? 'NULL' : `'${subject}'`} ROLES (${texts(roles)})${said};`;
}
