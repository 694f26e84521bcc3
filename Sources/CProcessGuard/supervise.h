#ifndef BRIDGE_SUPERVISE_H
#define BRIDGE_SUPERVISE_H

/*
 * Makes the calling process the supervisor of a program, and returns in a child, which is to become that program. All signals must be
 * blocked. The errno of a failure is written to the descriptor.
 */
void bridge_supervise(int report);

#endif
