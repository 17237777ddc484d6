#pragma once
/* Printed as OPC-2001; the thousands are the exit status (7: 70). Each has a page in `opcheck explain`. */
#define ERR_CODES(CODE)                                                                                                \
	CODE(ERR_OPTION, 2001)         /* unknown or misused option */                                                 \
	CODE(ERR_ARGUMENT, 2002)       /* missing or unexpected argument */                                            \
	CODE(ERR_VALUE, 2003)          /* value of an option not understood */                                         \
	CODE(ERR_COMMAND, 2004)        /* unknown command */                                                           \
	CODE(ERR_TARGET, 2005)         /* unknown target */                                                            \
	CODE(ERR_AMBIGUOUS, 2006)      /* target with several meanings */                                              \
	CODE(ERR_RULE, 2007)           /* unknown rule id */                                                           \
	CODE(ERR_EXISTS, 2008)         /* output exists already */                                                     \
	CODE(ERR_CONFIG, 2009)         /* configuration file */                                                        \
	CODE(ERR_OPERATOR, 2010)       /* unknown operator name */                                                     \
	CODE(ERR_ADDRESS, 2011)        /* unknown address of the service */                                            \
	CODE(ERR_METHOD, 2012)         /* method not allowed at this address */                                        \
	CODE(ERR_ACCEPT, 2013)         /* none of the media types that the client accepts */                           \
	CODE(ERR_ORIGIN, 2014)         /* a form sent from another site */                                             \
	CODE(ERR_WAIVER, 2015)         /* file of waivers */                                                           \
	CODE(ERR_HOST, 2016)           /* host name that is not the service's */                                       \
	CODE(ERR_HTTP, 2017)           /* ambiguous request */                                                         \
	CODE(ERR_KEY_BUSY, 2018)       /* Idempotency-Key of a request in progress */                                  \
	CODE(ERR_KEY_OTHER, 2019)      /* Idempotency-Key of a different request */                                    \
	CODE(ERR_PREFIX, 2020)         /* ambiguous prefix of an id */                                                 \
	CODE(ERR_CHANGED, 2021)        /* precondition failed: the object has changed (stale ETag) */                  \
	CODE(ERR_UNCONDITIONAL, 2022)  /* precondition required: a change without If-Match */                          \
	CODE(ERR_TAKEN, 2023)          /* name already taken */                                                        \
	CODE(ERR_OPEN, 3001)           /* input cannot be opened or read */                                            \
	CODE(ERR_DIRECTORY, 3002)      /* input is a directory */                                                      \
	CODE(ERR_EMPTY, 3003)          /* input has no bytes */                                                        \
	CODE(ERR_FORMAT, 3004)         /* content in no format that opcheck reads */                                   \
	CODE(ERR_NO_TABLE, 3005)       /* a log without a profiler table */                                            \
	CODE(ERR_NO_OPERATOR, 3006)    /* tables without an operator */                                                \
	CODE(ERR_ENCODING, 3007)       /* text is not valid in its encoding */                                         \
	CODE(ERR_UNREAD, 3008)         /* a profiler dump of a kind this version does not read */                      \
	CODE(ERR_LIMIT, 3009)          /* a limit was exceeded */                                                      \
	CODE(ERR_COMPRESSION, 3010)    /* compressed data is damaged */                                                \
	CODE(ERR_REPORT, 3011)         /* not a report, or a damaged one */                                            \
	CODE(ERR_IMPORT, 3012)         /* invalid file of facts to import */                                           \
	CODE(ERR_NO_DEVICE, 3013)      /* a dump from a device is required, this one is from elsewhere */              \
	CODE(ERR_NOT_OBSERVABLE, 3014) /* a dump shows too little for the requested gate */                            \
	CODE(ERR_NO_STACK, 3015)       /* no device software installed */                                              \
	CODE(ERR_DB_OPEN, 4001)        /* database cannot be opened */                                                 \
	CODE(ERR_DB_KIND, 4002)        /* file is not a support database */                                            \
	CODE(ERR_DB_VERSION, 4003)     /* database of another schema version */                                        \
	CODE(ERR_DB_DAMAGED, 4004)     /* database error */                                                            \
	CODE(ERR_FACT, 4005)           /* error in the text of the facts */                                            \
	CODE(ERR_DB_SIGNATURE, 4006)   /* pack without a trusted signature */                                          \
	CODE(ERR_CONNECT, 5001)        /* server cannot be reached */                                                  \
	CODE(ERR_REPLY, 5002)          /* server answered with an error */                                             \
	CODE(ERR_LISTEN, 5003)         /* address cannot be listened on */                                             \
	CODE(ERR_STORE, 5004)          /* the service's store failed */                                                \
	CODE(ERR_STORE_FULL, 5005)     /* the service has no space left */                                             \
	CODE(ERR_BUSY, 5006)           /* the service is overloaded */                                                 \
	CODE(ERR_JOB, 5007)            /* a worker process failed */                                                   \
	CODE(ERR_TOKEN, 5008)          /* no valid token */                                                            \
	CODE(ERR_SCOPE, 5009)          /* the token does not permit it */                                              \
	CODE(ERR_STORE_DAMAGED, 5010)  /* stored data is damaged */                                                    \
	CODE(ERR_RATE, 5011)           /* rate limit of a caller */                                                    \
	CODE(ERR_OUTPUT, 6001)         /* output cannot be written */                                                  \
	CODE(ERR_INTERNAL, 7001)       /* a defect of opcheck */

#define ERR_ENUM(name, code) name = (code),
enum err_code { ERR_CODES(ERR_ENUM) };
